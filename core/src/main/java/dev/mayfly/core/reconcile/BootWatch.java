package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.worker.PaidTime;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores of a machine that was ordered whether the cloud runs it: until then it costs nothing, and
 * the reason why a job waits for it is another one.
 */
final class BootWatch {
  /** What passed since is counted if the machine runs then: less is not worth a write. */
  private static final Duration PAUSE = Duration.ofSeconds(30);

  private final Context context;

  BootWatch(Context context) {
    this.context = context;
  }

  /**
   * The worker with what the cloud says of its machine; empty if another process changed it.
   *
   * @param progress of its order; only where that is not known the machine itself is looked up
   */
  Optional<VersionedDocument<Worker>> seen(
      VersionedDocument<Worker> storedWorker, Optional<Fleet.Progress> progress, Instant now) {
    var worker = storedWorker.value();
    var usage = worker.usage().filter(MachineUsage::waits);
    if (usage.isEmpty()) return Optional.of(storedWorker);
    var next = next(worker, usage.get(), progress, now);
    if (!isWorthIt(usage.get(), next)) return Optional.of(storedWorker);
    var changed = worker.withUsage(next);
    return context.ledger().commit(List.of(new LedgerWrite.Update(changed, storedWorker.version())))
            instanceof CommitResult.Done done
        ? Optional.of(new VersionedDocument<>(changed, done.versions().getFirst()))
        : Optional.empty();
  }

  private MachineUsage next(
      Worker worker, MachineUsage usage, Optional<Fleet.Progress> progress, Instant now) {
    if (progress.isEmpty()) return found(worker, usage, now);
    return switch (progress.get()) {
      case Fleet.Progress.Pending _, Fleet.Progress.Queued _ -> usage.notRunning(now);
      case Fleet.Progress.Done _ -> usage.running();
      case Fleet.Progress.Failed _ -> usage;
    };
  }

  private MachineUsage found(Worker worker, MachineUsage usage, Instant now) {
    return context
        .fleet()
        .find(WorkerTransitions.machineName(worker))
        .filter(machine -> WorkerTransitions.isMachineOf(machine, worker))
        .map(CloudMachine::status)
        .map(status -> PaidTime.seen(usage, status, now))
        .orElse(usage);
  }

  private static boolean isWorthIt(MachineUsage before, MachineUsage after) {
    return !after.waits() || !before.countedTo().plus(PAUSE).isAfter(after.countedTo());
  }
}
