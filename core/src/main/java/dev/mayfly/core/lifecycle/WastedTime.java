package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/**
 * The time of a machine that its tasks ran for nothing by no fault of theirs: it is paid for, and
 * is counted as lost instead of as work.
 */
public final class WastedTime {
  private WastedTime() {}

  /**
   * A worker whose time is counted, and whose agent gave a shard back; what its failed attempts ran
   * was for nothing where {@link AttemptFailure#isWasted} says so.
   *
   * @param held its leases before
   */
  public static Worker of(
      Worker worker, List<Worker.Held> held, Shard shard, List<AttemptFailure> failed) {
    var ran = Duration.ZERO;
    for (var failure : failed) if (failure.isWasted()) ran = ran.plus(failure.ran());
    var next = worker;
    for (var lease : held)
      if (lease.job().equals(shard.job()) && lease.start() == shard.start())
        next = of(next, lease, ran);
    return next;
  }

  /** A worker whose time is counted; attempts of this lease that ran so long were for nothing. */
  public static Worker of(Worker worker, Worker.Held held, Duration ran) {
    if (worker.usage().isEmpty() || !ran.isPositive()) return worker;
    var share = held.gang() ? 1 : held.need().dominantShare(worker.total());
    return worker.withUsage(
        worker.usage().get().lost(held.job(), Math.round(ran.toMillis() * share)));
  }

  /** How long all tasks of the lease that run have run together. */
  public static Duration ran(Worker.Held held, Instant now) {
    var all = Duration.ZERO;
    for (var since : begins(held)) all = all.plus(Duration.between(since, now));
    return all;
  }

  /** Of what no begin was written yet, the tasks began with their lease. */
  private static List<Instant> begins(Worker.Held held) {
    if (!held.startedAt().isEmpty()) return held.startedAt();
    return Collections.nCopies((int) Math.min(held.slots(), Worker.MOST_RUNNING), held.since());
  }
}
