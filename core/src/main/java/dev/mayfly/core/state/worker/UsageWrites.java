package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Where the time of a worker goes that is counted in its document: a document of its own in the
 * same commit, which no other writer touches, so that a thousand machines may end at once. The tick
 * adds these up by day.
 */
final class UsageWrites {
  private UsageWrites() {}

  /** The document that takes over what the worker has counted until now; empty for nothing. */
  static Optional<LedgerWrite> of(Worker worker, Instant now) {
    var usage = Usage.of(worker, now);
    return usage.rows().isEmpty() ? Optional.empty() : Optional.of(new LedgerWrite.Put(usage));
  }

  /** The worker without what {@link #of} took over. */
  static Worker without(Worker worker) {
    return worker.usage().map(MachineUsage::moved).map(worker::withUsage).orElse(worker);
  }

  /** The same worker; what ran there was for nothing, because its machine is lost. */
  static Worker lost(Worker worker, Instant now) {
    var next = worker.counted(now);
    if (next.usage().isEmpty()) return worker;
    var usage = next.usage().get();
    for (var held : worker.held()) {
      var wasted = Duration.ZERO;
      for (var since : begins(held)) wasted = wasted.plus(Duration.between(since, now));
      var share = held.gang() ? 1 : held.need().dominantShare(worker.total());
      usage = usage.lost(held.job(), Math.round(Math.max(0, wasted.toMillis()) * share));
    }
    return next.withUsage(usage);
  }

  /** Of what no begin was written yet, the tasks began with their lease. */
  private static List<Instant> begins(Worker.Held held) {
    if (!held.startedAt().isEmpty()) return held.startedAt();
    return Collections.nCopies((int) Math.min(held.slots(), Worker.MOST_RUNNING), held.since());
  }
}
