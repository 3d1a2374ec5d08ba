package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a look at a machine that has not reported says of what it costs. */
public final class PaidTime {
  private PaidTime() {}

  /**
   * Until the cloud runs it, a machine costs nothing. What it did that stops or is of an unknown
   * status is not known, and changes nothing.
   */
  public static MachineUsage seen(MachineUsage usage, CloudMachine.Status status, Instant now) {
    return switch (status) {
      case QUEUED, STARTING -> usage.notRunning(now);
      case RUNNING -> usage.running();
      case STOPPING, STOPPED, UNKNOWN -> usage;
    };
  }

  /**
   * The worker with the last look at its machine, which its deletion would hide. Empty if another
   * process changed it.
   */
  static Optional<VersionedDocument<Worker>> atItsEnd(
      Ledger ledger,
      VersionedDocument<Worker> storedWorker,
      Optional<CloudMachine> machine,
      Instant now) {
    var worker = storedWorker.value();
    var usage = worker.usage().filter(MachineUsage::waits);
    if (usage.isEmpty()) return Optional.of(storedWorker);
    var next = machine.map(it -> seen(usage.get(), it.status(), now)).orElse(usage.get());
    return next.equals(usage.get())
        ? Optional.of(storedWorker)
        : stored(ledger, worker.withUsage(next), storedWorker.version());
  }

  private static Optional<VersionedDocument<Worker>> stored(
      Ledger ledger, Worker worker, String version) {
    return ledger.commit(List.of(new LedgerWrite.Update(worker, version)))
            instanceof CommitResult.Done done
        ? Optional.of(new VersionedDocument<>(worker, done.versions().getFirst()))
        : Optional.empty();
  }
}
