package dev.mayfly.sim.fake;

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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The ledger as one process sees it. */
public final class HookedLedger implements Ledger {
  private final SimLedger ledger;
  private final Scope scope;
  private final Hook hook;
  private final BooleanSupplier contended;
  private final Tally tally;

  /**
   * @param tally where this process's operations are counted
   * @param contended whether somebody else writes the documents of the next batch just before it
   */
  public HookedLedger(
      SimLedger ledger, Scope scope, Hook hook, BooleanSupplier contended, Tally tally) {
    this.ledger = ledger;
    this.scope = scope;
    this.hook = hook;
    this.contended = contended;
    this.tally = tally;
  }

  @Override
  public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
    tally.add(Tally.Kind.READ, 1);
    return hook.around("ledger.read", () -> ledger.read(key));
  }

  @Override
  public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
    if (!keys.isEmpty()) tally.add(Tally.Kind.READ, keys.size());
    return hook.around("ledger.readAll", () -> ledger.readAll(keys));
  }

  @Override
  public <D extends Document> Listing<D> query(Query<D> query) {
    var found = hook.around("ledger.query", () -> ledger.query(query));
    tally.add(Tally.Kind.READ, Math.max(1, found.size()));
    return found;
  }

  @Override
  public Totals totals(Key.OfJob job) {
    var totals = hook.around("ledger.totals", () -> ledger.totals(job));
    tally.add(Tally.Kind.READ, Math.max(1, (totals.shards() + 999) / 1000));
    return totals;
  }

  @Override
  public Committed commit(List<Write> writes) {
    return hook.around("ledger.commit", () -> write(writes));
  }

  private Committed write(List<Write> writes) {
    if (writes.stream().anyMatch(Write.Update.class::isInstance) && contended.getAsBoolean())
      for (var write : writes) if (write instanceof Write.Update u) ledger.touch(u.key());
    var committed = ledger.commit(writes);
    if (!committed.done()) tally.add(Tally.Kind.CONFLICT, 1);
    else {
      var deleted = writes.stream().filter(Write.Delete.class::isInstance).count();
      if (deleted > 0) tally.add(Tally.Kind.DELETE, deleted);
      if (writes.size() > deleted) tally.add(Tally.Kind.WRITE, writes.size() - deleted);
    }
    return committed;
  }

  @Override
  public Watch watch(String cluster, Consumer<Pulse> listener) {
    Consumer<Pulse> counted =
        pulse -> {
          tally.add(Tally.Kind.LISTENED, 1);
          listener.accept(pulse);
        };
    return hook.around("ledger.watch", () -> ledger.watch(cluster, scope, counted));
  }
}
