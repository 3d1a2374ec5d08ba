package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The ledger, with the change signals of each batch sent once the batch is written. They all go to
 * one document of the cluster: in the batches themselves they would make each of them contend with
 * all others.
 */
final class SignallingLedger implements Ledger {
  private final Ledger ledger;
  private final ChangeSignals signals;

  SignallingLedger(Ledger ledger, ChangeSignals signals) {
    this.ledger = ledger;
    this.signals = signals;
  }

  @Override
  public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
    return ledger.read(key);
  }

  @Override
  public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
    return ledger.readAll(keys);
  }

  @Override
  public <D extends Document> Listing<D> query(Query<D> query) {
    return ledger.query(query);
  }

  @Override
  public Totals totals(Key.OfJob job) {
    return ledger.totals(job);
  }

  @Override
  public Committed commit(List<Write> writes) {
    var notes =
        writes.stream()
            .filter(Write.Notify.class::isInstance)
            .map(Write.Notify.class::cast)
            .toList();
    if (notes.isEmpty()) return ledger.commit(writes);
    var rest = writes.stream().filter(w -> !(w instanceof Write.Notify)).toList();
    try {
      var committed = rest.isEmpty() ? new Committed.Done(List.of()) : ledger.commit(rest);
      if (!(committed instanceof Committed.Done done)) return committed;
      notes.forEach(signals::send);
      return inPlace(writes, done);
    } catch (Unavailable unknown) {
      // It may have been written all the same.
      notes.forEach(signals::send);
      throw unknown;
    }
  }

  /** The versions in the order of all writes; a signal has none. */
  private static Committed.Done inPlace(List<Write> writes, Committed.Done done) {
    var versions = new ArrayList<String>();
    var next = done.versions().iterator();
    for (var write : writes) versions.add(write instanceof Write.Notify ? "" : next.next());
    return new Committed.Done(versions);
  }

  @Override
  public Watch watch(String cluster, Consumer<Pulse> listener) {
    return ledger.watch(cluster, listener);
  }
}
