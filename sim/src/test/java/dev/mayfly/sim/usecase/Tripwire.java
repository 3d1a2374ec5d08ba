package dev.mayfly.sim.usecase;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Shard;
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
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A ledger that fails where a test wants it to, and counts what is asked of it. */
final class Tripwire implements Ledger {
  private final Ledger ledger;
  private Predicate<List<Write>> unknown = w -> false;
  private Predicate<List<Write>> before = w -> false;
  private Optional<Runnable> first = Optional.empty();
  private Optional<Runnable> soon = Optional.empty();
  private int readsUntil;
  boolean away;
  int commits;
  int reads;

  Tripwire(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Whether a lease is given by this commit. */
  static boolean grants(List<Write> writes) {
    return writes.stream()
        .anyMatch(w ->
            w instanceof Write.Update u
                && u.document() instanceof Shard s
                && s.state() == Shard.State.LEASED);
  }

  /** Commits like this are written, and the caller never hears of it. */
  void unknown(Predicate<List<Write>> which) {
    unknown = which;
  }

  /** Just before the next commit like this, somebody else does something. */
  void before(Predicate<List<Write>> which, Runnable what) {
    before = which;
    first = Optional.of(what);
  }

  /** Just before the nth question from now on, somebody else does something. */
  void beforeRead(int nth, Runnable what) {
    readsUntil = nth;
    soon = Optional.of(what);
  }

  @Override
  public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
    asked();
    return ledger.read(key);
  }

  @Override
  public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
    asked();
    return ledger.readAll(keys);
  }

  @Override
  public <D extends Document> Listing<D> query(Query<D> query) {
    asked();
    return ledger.query(query);
  }

  @Override
  public Totals totals(Key.OfJob job) {
    asked();
    return ledger.totals(job);
  }

  private void asked() {
    if (away) throw new Unavailable("the ledger is away");
    if (soon.isPresent() && --readsUntil == 0) {
      var what = soon.get();
      soon = Optional.empty();
      what.run();
    }
    reads++;
  }

  @Override
  public Committed commit(List<Write> writes) {
    if (away) throw new Unavailable("the ledger is away");
    if (first.isPresent() && before.test(writes)) {
      var what = first.get();
      first = Optional.empty();
      what.run();
    }
    commits++;
    var committed = ledger.commit(writes);
    if (committed.done() && unknown.test(writes))
      throw new Unavailable("nobody knows what became of the batch");
    return committed;
  }

  @Override
  public Watch watch(String cluster, Consumer<Pulse> listener) {
    return ledger.watch(cluster, listener);
  }
}
