package dev.mayfly.sim.fake;

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
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The ledger as one process sees it. */
public final class HookedLedger implements Ledger {
  /** What may go wrong beyond what a hook does. */
  public interface Trouble {
    Trouble NONE = new Trouble() {};

    /** Whether somebody else writes the documents of the next batch just before it. */
    default boolean contended() {
      return false;
    }

    /**
     * For how long the next batch is on its way when its caller has given it up; empty if it comes
     * in time.
     */
    default Optional<Duration> late() {
      return Optional.empty();
    }

    /** Whether this process cannot read a document that others read. */
    default boolean unknown(Document document) {
      return false;
    }
  }

  private final SimLedger ledger;
  private final Scope scope;
  private final Hook hook;
  private final Trouble trouble;
  private final Tally tally;

  /**
   * @param tally where this process's operations are counted
   */
  public HookedLedger(SimLedger ledger, Scope scope, Hook hook, Trouble trouble, Tally tally) {
    this.ledger = ledger;
    this.scope = scope;
    this.hook = hook;
    this.trouble = trouble;
    this.tally = tally;
  }

  @Override
  public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
    tally.add(Tally.Kind.READ, 1);
    return hook.around("ledger.read", () -> known(ledger.readAll(List.of(key)))).complete().stream()
        .findFirst();
  }

  @Override
  public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
    if (!keys.isEmpty()) tally.add(Tally.Kind.READ, keys.size());
    return hook.around("ledger.readAll", () -> known(ledger.readAll(keys)));
  }

  @Override
  public <D extends Document> Listing<D> query(Query<D> query) {
    var found = hook.around("ledger.query", () -> known(ledger.query(query)));
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

  private <D extends Document> Listing<D> known(Listing<D> found) {
    if (found.some().stream().noneMatch(s -> trouble.unknown(s.value()))) return found;
    var known = new Listing.Builder<D>();
    for (var there : found.unreadable())
      known.add(
          there.path(),
          there.store(),
          () -> {
            throw new IllegalArgumentException(there.cause());
          });
    for (var stored : found.some())
      known.add(
          stored.value().key().path(),
          "the simulation",
          () -> {
            if (trouble.unknown(stored.value()))
              throw new IllegalArgumentException("a newer version wrote it");
            return stored;
          });
    return known.build();
  }

  private Committed write(List<Write> writes) {
    var late = trouble.late();
    if (late.isPresent()) {
      ledger.commitAfter(late.get(), writes);
      throw new Unavailable("the commit took too long");
    }
    if (writes.stream().anyMatch(Write.Update.class::isInstance) && trouble.contended())
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
