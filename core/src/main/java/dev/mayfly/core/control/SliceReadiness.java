package dev.mayfly.core.control;

import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.core.worker.WorkerEvent;
import dev.mayfly.core.worker.WorkerLifecycle;
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
    return Hosts.several(worker)
        && (worker.state() instanceof WorkerState.Launching
            || worker.state() instanceof WorkerState.Booting);
  }

  /** The worker, ready if all of its hosts have spoken; empty if somebody changed it meanwhile. */
  Optional<Stored<Worker>> look(String cluster, String name) {
    var stored = ledger.read(new Key.OfWorker(cluster, name));
    if (stored.isEmpty()) return stored;
    var worker = stored.get().value();
    var spoke = awaited(worker) && worker.incarnation().isPresent();
    if (!spoke || !Hosts.complete(ledger, worker)) return stored;
    var now = clock.instant();
    var event = new WorkerEvent.Spoke(now);
    var next = worker.with(WorkerLifecycle.on(worker.state(), event).next());
    // The first host's call waits for work: it may have read the worker after the last host's word,
    // and before this.
    var writes =
        List.<Write>of(
            new Write.Update(next, stored.get().version()),
            new Write.Notify(cluster, now, false, List.of(name)));
    if (!ledger.commit(writes).done()) return Optional.empty();
    return ledger.read(next.key());
  }
}
