package dev.mayfly.core.sync;

import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.lifecycle.WorkerLifecycle;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A slice is ready when each of its hosts has reported.
 *
 * <p>Each host stores its own report before it checks the others': of two that are last, at least
 * one sees both. So only the last host changes the worker.
 */
final class SliceReadiness {
  private final Ledger ledger;
  private final InstantSource clock;

  SliceReadiness(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Whether the worker, as read, still waits for hosts. */
  static boolean awaited(Worker worker) {
    return SliceHosts.isMultiHost(worker)
        && (worker.state() instanceof WorkerState.Launching
            || worker.state() instanceof WorkerState.Booting);
  }

  /**
   * The worker, ready if all its hosts have reported; empty if another writer changed it in
   * between.
   */
  Optional<VersionedDocument<Worker>> update(String cluster, String name) {
    var storedWorker = ledger.read(new DocumentKey.OfWorker(cluster, name));
    if (storedWorker.isEmpty()) return storedWorker;
    var worker = storedWorker.get().value();
    var firstHostReported = awaited(worker) && worker.incarnation().isPresent();
    if (!firstHostReported || !SliceHosts.allReported(ledger, worker)) return storedWorker;
    var now = clock.instant();
    var event = new WorkerEvent.AgentSynced(now);
    var next = worker.with(WorkerLifecycle.on(worker.state(), event).next());
    // The first host's pending sync may have read the worker after the last host's report and
    // before this write, so it must be notified.
    var ledgerWrites =
        List.<LedgerWrite>of(
            new LedgerWrite.Update(next, storedWorker.get().version()),
            new LedgerWrite.Signal(cluster, now, false, List.of(name)));
    if (!ledger.commit(ledgerWrites).done()) return Optional.empty();
    return ledger.read(next.key());
  }
}
