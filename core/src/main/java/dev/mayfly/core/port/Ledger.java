package dev.mayfly.core.port;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.TaskTotals;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Holds all state. A read, query or total sees every batch that was committed before the call.
 * Times are truncated to the microsecond.
 *
 * <p>People edit documents by hand, and other versions of Mayfly write them. An unreadable document
 * does not prevent reading the others and never counts as absent: a {@link QueryResult} names it,
 * and reading it alone throws {@link dev.mayfly.core.error.UnreadableDocumentException}. Queries
 * treat a document with an unknown state as one that has not ended.
 *
 * <p>Every method may throw {@link dev.mayfly.core.error.UnavailableException}; a commit that
 * throws it may have happened.
 */
public interface Ledger {
  /**
   * The document; empty if there is none. Throws {@link
   * dev.mayfly.core.error.UnreadableDocumentException} if it cannot be read.
   */
  <D extends LedgerDocument> Optional<VersionedDocument<D>> read(DocumentKey<D> documentKey);

  /** The documents that exist, in the order of the keys; at most 500 keys. */
  <D extends LedgerDocument> QueryResult<D> readAll(Collection<? extends DocumentKey<D>> keys);

  <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery);

  /** The job's tasks by state, summed by the store; costs one read per thousand shards. */
  TaskTotals totals(DocumentKey.OfJob job);

  /**
   * Writes all or nothing; at most {@link dev.mayfly.core.model.document.BatchSize#MAX_WRITES}
   * writes, and no document twice. Repeating a batch with an unknown result conflicts with itself
   * if it holds a {@link LedgerWrite.Create} or {@link LedgerWrite.Update}: read first, then
   * decide.
   */
  CommitResult commit(List<LedgerWrite> ledgerWrites);

  /**
   * Calls {@code listener} with the cluster's change signal now, if there is one, and after each
   * change, on a thread of the adapter. Changes in quick succession may be merged.
   */
  Watch watch(String cluster, Consumer<ChangeSignal> listener);

  /** A watch that runs until it is closed; closing twice is not an error. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
