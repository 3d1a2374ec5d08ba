package dev.mayfly.core.sync;

import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.lifecycle.WorkerLifecycle;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A slice is ready when each of its hosts has spoken.
 *
 * <p>Each host writes its own word first and looks for the others' then: of two that are the last
 * one, one sees both. So the worker is changed by the last host alone, and not by each of them.
 */
final class SliceReadiness {
  private final Ledger ledger;
  private final InstantSource clock;

  SliceReadiness(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Whether hosts of the worker are waited for, as it was read. */
  static boolean awaited(Worker worker) {
    return SliceHosts.isMultiHost(worker)
        && (worker.state() instanceof WorkerState.Launching
            || worker.state() instanceof WorkerState.Booting);
  }

  /** The worker, ready if all of its hosts have spoken; empty if somebody changed it meanwhile. */
  Optional<VersionedDocument<Worker>> update(String cluster, String name) {
    var versionedDocument = ledger.read(new DocumentKey.OfWorker(cluster, name));
    if (versionedDocument.isEmpty()) return versionedDocument;
    var worker = versionedDocument.get().value();
    var spoke = awaited(worker) && worker.incarnation().isPresent();
    if (!spoke || !SliceHosts.allReported(ledger, worker)) return versionedDocument;
    var now = clock.instant();
    var event = new WorkerEvent.AgentSynced(now);
    var next = worker.with(WorkerLifecycle.on(worker.state(), event).next());
    // The first host's call waits for work: it may have read the worker after the last host's word,
    // and before this.
    var ledgerWrites =
        List.<LedgerWrite>of(
            new LedgerWrite.Update(next, versionedDocument.get().version()),
            new LedgerWrite.Notify(cluster, now, false, List.of(name)));
    if (!ledger.commit(ledgerWrites).done()) return Optional.empty();
    return ledger.read(next.key());
  }
}
