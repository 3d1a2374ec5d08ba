package dev.mayfly.core.port;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.TaskTotals;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Counts ledger operations as Firestore charges for them, whatever the adapter. A document read,
 * written or deleted counts one; a read or query that finds nothing counts one read; a total counts
 * one read per thousand documents; a change signal delivered to a watch counts one read. One meter
 * may count for several ledgers.
 */
public final class LedgerMeter {
  private static final ScopedValue<Boolean> LOOKING = ScopedValue.newInstance();

  private final LongAdder looks = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder deletes = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final Map<String, Long> wasted = new TreeMap<>();

  /**
   * Operations since the meter was made, or between two moments.
   *
   * @param looks reads by people through the read API; included in no other number
   * @param commits batches that were written
   * @param conflicts batches that were not written; their contents are counted nowhere else
   */
  public record Operations(
      long looks, long reads, long writes, long deletes, long commits, long conflicts) {
    /** All billed operations. */
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

  /** Batches not written, or with an unknown result, by the kind of document they lost. */
  public Map<String, Long> wasted() {
    synchronized (wasted) {
      return new TreeMap<>(wasted);
    }
  }

  /** Runs {@code look} on this thread; its reads count as looks, not as Mayfly's own. */
  public static void looking(Callable<?> look) throws Exception {
    ScopedValue.where(LOOKING, true).call(look::call);
  }

  /** As {@link #looking}, for a read that is not on the thread of a call. */
  public static <T> T look(Supplier<T> look) {
    return ScopedValue.where(LOOKING, true).call(look::get);
  }

  /** Wraps a ledger to count its operations; closing the wrapper closes the ledger. */
  public Ledger wrap(Ledger ledger) {
    return new Counted(ledger);
  }

  private void found(int documents) {
    read(Math.max(1, documents));
  }

  private void read(long documents) {
    if (LOOKING.isBound()) looks.add(documents);
    else reads.add(documents);
  }

  private void committed(List<LedgerWrite> batch) {
    if (batch.isEmpty()) return;
    var deleted = batch.stream().filter(LedgerWrite.Delete.class::isInstance).count();
    writes.add(batch.size() - deleted);
    deletes.add(deleted);
    commits.increment();
  }

  private void countWasted(String why) {
    synchronized (wasted) {
      wasted.merge(why, 1L, Long::sum);
    }
  }

  private final class Counted implements Ledger {
    private final Ledger ledger;

    Counted(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
        DocumentKey<D> documentKey) {
      LedgerMeter.this.read(1);
      return ledger.read(documentKey);
    }

    @Override
    public <D extends LedgerDocument> QueryResult<D> readAll(
        Collection<? extends DocumentKey<D>> keys) {
      if (!keys.isEmpty()) found(keys.size());
      return ledger.readAll(keys);
    }

    @Override
    public <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery) {
      var found = ledger.query(ledgerQuery);
      found(found.size());
      return found;
    }

    @Override
    public TaskTotals totals(DocumentKey.OfJob job) {
      var taskTotals = ledger.totals(job);
      LedgerMeter.this.read(Math.max(1, (taskTotals.shards() + 999) / 1000));
      return taskTotals;
    }

    @Override
    public CommitResult commit(List<LedgerWrite> batch) {
      try {
        var commitResult = ledger.commit(batch);
        switch (commitResult) {
          case CommitResult.Done _ -> committed(batch);
          case CommitResult.Conflict lost -> {
            conflicts.increment();
            countWasted("lost a " + lost.key().type().getSimpleName());
          }
        }
        return commitResult;
      } catch (UnavailableException unknown) {
        countWasted("unknown");
        throw unknown;
      }
    }

    @Override
    public Watch watch(String cluster, Consumer<ChangeSignal> listener) {
      return ledger.watch(
          cluster,
          changeSignal -> {
            found(1);
            listener.accept(changeSignal);
          });
    }
  }
}
