package dev.mayfly.core.port;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Totals;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Counts what is asked of ledgers as Firestore would charge for it, whichever adapter is beneath: a
 * document read, written or deleted is one; a read or query that finds nothing is one read; a total
 * is one read a thousand documents; a pulse told to a watch is one read. One meter may count for
 * several ledgers.
 */
public final class Meter {
  private static final ScopedValue<Boolean> LOOKING = ScopedValue.newInstance();

  private final LongAdder looks = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder deletes = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final Map<String, Long> vain = new TreeMap<>();

  /**
   * Since the meter was made, or between two moments.
   *
   * @param looks what people read through the read API; in no other number
   * @param commits batches that were written
   * @param conflicts batches that were not; what was in them counts nowhere else
   */
  public record Operations(
      long looks, long reads, long writes, long deletes, long commits, long conflicts) {
    /** What there is to pay for. */
    public long total() {
      return reads + writes + deletes;
    }

    public Operations since(Operations before) {
      return new Operations(
          looks - before.looks,
          reads - before.reads,
          writes - before.writes,
          deletes - before.deletes,
          commits - before.commits,
          conflicts - before.conflicts);
    }
  }

  public Operations operations() {
    return new Operations(
        looks.sum(), reads.sum(), writes.sum(), deletes.sum(), commits.sum(), conflicts.sum());
  }

  /** Batches that were not written, or of which nobody knows, by the kind of document they lost. */
  public Map<String, Long> vain() {
    synchronized (vain) {
      return new TreeMap<>(vain);
    }
  }

  /** Runs on this thread; what it reads counts as looks, for it is not Mayfly's own. */
  public static void looking(Callable<?> look) throws Exception {
    ScopedValue.where(LOOKING, true).call(look::call);
  }

  /** The same ledger, counted; whoever closes it closes the one beneath. */
  public Ledger around(Ledger ledger) {
    return new Counted(ledger);
  }

  private void found(int documents) {
    read(Math.max(1, documents));
  }

  private void read(long documents) {
    if (LOOKING.isBound()) looks.add(documents);
    else reads.add(documents);
  }

  private void committed(List<Write> batch) {
    if (batch.isEmpty()) return;
    var deleted = batch.stream().filter(Write.Delete.class::isInstance).count();
    writes.add(batch.size() - deleted);
    deletes.add(deleted);
    commits.increment();
  }

  private void inVain(String why) {
    synchronized (vain) {
      vain.merge(why, 1L, Long::sum);
    }
  }

  private final class Counted implements Ledger {
    private final Ledger ledger;

    Counted(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
      Meter.this.read(1);
      return ledger.read(key);
    }

    @Override
    public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
      if (!keys.isEmpty()) found(keys.size());
      return ledger.readAll(keys);
    }

    @Override
    public <D extends Document> Listing<D> query(Query<D> query) {
      var found = ledger.query(query);
      found(found.size());
      return found;
    }

    @Override
    public Totals totals(Key.OfJob job) {
      var totals = ledger.totals(job);
      Meter.this.read(Math.max(1, (totals.shards() + 999) / 1000));
      return totals;
    }

    @Override
    public Committed commit(List<Write> batch) {
      try {
        var committed = ledger.commit(batch);
        switch (committed) {
          case Committed.Done _ -> committed(batch);
          case Committed.Conflict lost -> {
            conflicts.increment();
            inVain("lost a " + lost.key().type().getSimpleName());
          }
        }
        return committed;
      } catch (Unavailable unknown) {
        inVain("unknown");
        throw unknown;
      }
    }

    @Override
    public Watch watch(String cluster, Consumer<Pulse> listener) {
      return ledger.watch(
          cluster,
          pulse -> {
            found(1);
            listener.accept(pulse);
          });
    }
  }
}
