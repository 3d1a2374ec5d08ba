package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/**
 * The time of a machine that its tasks ran for nothing: it is paid for, and is counted by its cause
 * instead of as work.
 */
public final class WastedTime {
  private WastedTime() {}

  /**
   * A worker whose time is counted, and whose agent gave a shard back; what its failed attempts ran
   * was for nothing as far as {@link AttemptFailure#ranForNothing} says so.
   *
   * @param held its leases before
   */
  public static Worker of(
      Worker worker, List<Worker.Held> held, Shard shard, List<AttemptFailure> failed) {
    var next = worker;
    for (var lease : held)
      if (lease.job().equals(shard.job()) && lease.start() == shard.start())
        for (var failure : failed)
          // What went back on its own before is counted; what was taken is of no other count.
          if (shard.has(failure.index()) || failure.cause() == FailureCause.TAKEN)
            next = of(next, lease, purpose(failure.cause()), failure.ranForNothing());
    return next;
  }

  private static Purpose purpose(FailureCause cause) {
    return switch (cause) {
      case PREEMPTED -> Purpose.PREEMPTED;
      case END_OF_LIFE, DRAINED -> Purpose.DRAINED;
      case OUTRANKED -> Purpose.OUTRANKED;
      case TAKEN -> Purpose.TAKEN;
      case LOST, INFRASTRUCTURE -> Purpose.LOST;
      case OUT_OF_MEMORY, TIMEOUT, USER, OUTPUT_EXISTS -> Purpose.FAILED;
      case STOPPED, RETURNED -> Purpose.STOPPED;
    };
  }

  /** A worker whose time is counted, and is lost; all that runs of this lease is for nothing. */
  public static Worker lost(Worker worker, Worker.Held held, FailureCause cause, Instant now) {
    return of(worker, held, purpose(cause), ran(held, now));
  }

  /** A worker whose time is counted; its part of a gang's run ended so. */
  public static Worker of(Worker worker, Worker.Held held, AttemptFailure failure, Instant now) {
    return of(worker, held, purpose(failure.cause()), ran(held, failure, now));
  }

  private static Worker of(Worker worker, Worker.Held held, Purpose purpose, Duration ran) {
    if (worker.usage().isEmpty() || !ran.isPositive()) return worker;
    var share = held.gang() ? 1 : held.need().dominantShare(worker.total());
    return worker.withUsage(
        worker.usage().get().wasted(purpose, held.job(), Math.round(ran.toMillis() * share)));
  }

  /**
   * What one of the shard's tasks, the most of them, has lost to higher priorities, as far as its
   * evidence goes back; empty if none has.
   */
  public static Optional<Duration> toHigherPriorities(Shard shard) {
    var byTask = new HashMap<Long, Duration>();
    for (var failure : shard.evidence())
      if (failure.cause() == FailureCause.OUTRANKED && shard.has(failure.index()))
        byTask.merge(failure.index(), failure.ranForNothing(), Duration::plus);
    return byTask.values().stream().filter(Duration::isPositive).max(Comparator.naturalOrder());
  }

  /** How long all tasks of the lease that run have run together since their last checkpoints. */
  private static Duration ran(Worker.Held held, Instant now) {
    var all = Duration.ZERO;
    for (var since : begins(held)) all = all.plus(Duration.between(since, now));
    return all;
  }

  /** How long a gang's part has run for nothing, if its run ended so. */
  private static Duration ran(Worker.Held held, AttemptFailure failure, Instant now) {
    if (!failure.isKept()) return ran(held, now);
    return failure
        .keptUntil()
        .map(until -> Duration.between(later(held.since(), until), now))
        .orElse(Duration.ZERO);
  }

  /** Of what no begin was written yet, the tasks began with their lease. */
  private static List<Instant> begins(Worker.Held held) {
    if (held.startedAt().isEmpty())
      return Collections.nCopies((int) Math.min(held.slots(), Worker.MOST_RUNNING), held.since());
    var kept = KeptTask.until(held.kept());
    var begins = new ArrayList<Instant>();
    for (var i = 0; i < held.startedAt().size(); i++) {
      var began = held.startedAt().get(i);
      begins.add(later(began, kept.getOrDefault(held.running().get(i), began)));
    }
    return begins;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
