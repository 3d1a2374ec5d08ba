package dev.mayfly.local.ledger;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts operations as Firestore would charge them: a document read, written or deleted is one; a
 * read or query that finds nothing is one read; a total is one read a thousand documents; a pulse
 * told to a watch is one read.
 */
public final class Meter {
  private static final ScopedValue<Boolean> LOOKING = ScopedValue.newInstance();

  private final LongAdder looks = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder deletes = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder conflicts = new LongAdder();

  /**
   * Since the ledger was opened.
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
  }

  public Operations operations() {
    return new Operations(
        looks.sum(), reads.sum(), writes.sum(), deletes.sum(), commits.sum(), conflicts.sum());
  }

  /** Work whose reads are somebody's who looks at the state, and not Mayfly's own. */
  public interface Look {
    void run() throws Exception;
  }

  /** Runs on this thread; what it reads counts as looks. */
  public static void looking(Look look) throws Exception {
    ScopedValue.where(LOOKING, true)
        .call(() -> {
          look.run();
          return true;
        });
  }

  void found(int documents) {
    read(Math.max(1, documents));
  }

  void counted(long documents) {
    read(Math.max(1, (documents + 999) / 1000));
  }

  private void read(long documents) {
    if (LOOKING.isBound()) looks.add(documents);
    else reads.add(documents);
  }

  void committed(int written, int deleted) {
    writes.add(written);
    deletes.add(deleted);
    commits.increment();
  }

  void conflicted() {
    conflicts.increment();
  }
}
