package dev.mayfly.core.state.worker;

import dev.mayfly.core.lifecycle.WastedTime;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Instant;
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
  static Worker lost(Worker worker, FailureCause cause, Instant now) {
    var next = worker.counted(now);
    for (var held : worker.held()) next = WastedTime.lost(next, held, cause, now);
    return next;
  }
}
