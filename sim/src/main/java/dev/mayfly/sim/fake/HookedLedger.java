package dev.mayfly.sim.fake;

import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
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

  /**
   * @param contended whether somebody else writes the documents of the next batch just before it
   */
  public HookedLedger(SimLedger ledger, Scope scope, Hook hook, BooleanSupplier contended) {
    this.ledger = ledger;
    this.scope = scope;
    this.hook = hook;
    this.contended = contended;
  }

  @Override
  public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
    return hook.around("ledger.read", () -> ledger.read(key));
  }

  @Override
  public <D extends Document> List<Stored<D>> readAll(Collection<? extends Key<D>> keys) {
    return hook.around("ledger.readAll", () -> ledger.readAll(keys));
  }

  @Override
  public <D extends Document> List<Stored<D>> query(Query<D> query) {
    return hook.around("ledger.query", () -> ledger.query(query));
  }

  @Override
  public Totals totals(Key.OfJob job) {
    return hook.around("ledger.totals", () -> ledger.totals(job));
  }

  @Override
  public Committed commit(List<Write> writes) {
    return hook.around("ledger.commit", () -> write(writes));
  }

  private Committed write(List<Write> writes) {
    if (writes.stream().anyMatch(Write.Update.class::isInstance) && contended.getAsBoolean())
      for (var write : writes) if (write instanceof Write.Update u) ledger.touch(u.key());
    return ledger.commit(writes);
  }

  @Override
  public Watch watch(String cluster, Consumer<Pulse> listener) {
    return hook.around("ledger.watch", () -> ledger.watch(cluster, scope, listener));
  }
}
