package dev.mayfly.core.port;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.job.TaskTotals;
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
 * Listing} names it, and a read of it alone throws {@link
 * dev.mayfly.core.error.UnreadableDocumentException}. The queries find a document whose state is a
 * word that this version does not know, too, as one that has not ended.
 *
 * <p>Every method may throw {@link dev.mayfly.core.error.UnavailableException}; a commit that
 * throws it may have happened.
 */
public interface Ledger {
  /**
   * The document; empty if there is none. Throws {@link
   * dev.mayfly.core.error.UnreadableDocumentException} if what is there cannot be read.
   */
  <D extends LedgerDocument> Optional<VersionedDocument<D>> read(DocumentKey<D> documentKey);

  /** The documents that are there, in the order of the keys; at most 500 keys. */
  <D extends LedgerDocument> QueryResult<D> readAll(Collection<? extends DocumentKey<D>> keys);

  <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery);

  /** The job's tasks by state, added up by the store; costs a read a thousand shards. */
  TaskTotals totals(DocumentKey.OfJob job);

  /**
   * All of the writes or none; at most {@link dev.mayfly.core.model.document.BatchSize#MOST}, and
   * no document twice. Repeating a batch whose outcome is unknown conflicts with itself where it
   * holds a {@link LedgerWrite.Create} or {@link LedgerWrite.Update}: read, then decide.
   */
  CommitResult commit(List<LedgerWrite> ledgerWrites);

  /**
   * Calls {@code listener} with the cluster's pulse now, if there is one, and after each change, on
   * a thread of the adapter's; changes that follow closely may come as one. Ends when closed.
   */
  Watch watch(String cluster, Consumer<ChangeSignal> listener);

  /** A watch that goes on until it is closed; closing twice is no error. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
