package dev.mayfly.core.port;

import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Totals;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * All state. A read, a query and a total see every batch that was committed before they were
 * called. Times are kept to the microsecond; what is finer is cut off.
 *
 * <p>People edit documents by hand, and other versions of Mayfly write them. One that cannot be
 * read stops nobody from reading the others, and is never taken for one that is not there: a {@link
 * Listing} names it, and a read of it alone throws {@link dev.mayfly.core.error.Unreadable}. The
 * queries find a document whose state is a word that this version does not know, too, as one that
 * has not ended.
 *
 * <p>Every method may throw {@link dev.mayfly.core.error.Unavailable}; a commit that throws it may
 * have happened.
 */
public interface Ledger {
  /**
   * The document; empty if there is none. Throws {@link dev.mayfly.core.error.Unreadable} if what
   * is there cannot be read.
   */
  <D extends Document> Optional<Stored<D>> read(Key<D> key);

  /** The documents that are there, in the order of the keys; at most 500 keys. */
  <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys);

  <D extends Document> Listing<D> query(Query<D> query);

  /** The job's tasks by state, added up by the store; costs a read a thousand shards. */
  Totals totals(Key.OfJob job);

  /**
   * All of the writes or none; at most {@link dev.mayfly.core.model.BatchSize#MOST}, and no
   * document twice. Repeating a batch whose outcome is unknown conflicts with itself where it holds
   * a {@link Write.Create} or {@link Write.Update}: read, then decide.
   */
  Committed commit(List<Write> writes);

  /**
   * Calls {@code listener} with the cluster's pulse now, if there is one, and after each change, on
   * a thread of the adapter's; changes that follow closely may come as one. Ends when closed.
   */
  Watch watch(String cluster, Consumer<Pulse> listener);

  /** A watch that goes on until it is closed; closing twice is no error. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
