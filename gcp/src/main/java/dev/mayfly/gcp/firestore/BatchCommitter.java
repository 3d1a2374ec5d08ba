package dev.mayfly.gcp.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode.Code;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Commits batches, and finds the conflicting document of a failed one. */
final class BatchCommitter {
  private static final Set<Code> CONFLICT =
      EnumSet.of(Code.FAILED_PRECONDITION, Code.ALREADY_EXISTS, Code.NOT_FOUND);
  private static final DocumentMask NAME =
      DocumentMask.newBuilder().addFieldPaths("__name__").build();

  /** Reads documents by name. */
  interface Reader {
    Map<String, Document> read(Collection<String> names, Optional<DocumentMask> mask);
  }

  private final FirestoreConnection firestoreConnection;
  private final Reader reader;

  BatchCommitter(FirestoreConnection firestoreConnection, Reader reader) {
    this.firestoreConnection = firestoreConnection;
    this.reader = reader;
  }

  CommitResult commit(WriteBatch writeBatch) {
    if (writeBatch.writes().isEmpty()) return new CommitResult.Done(List.of());
    try {
      var sent = firestoreConnection.client().commitCallable().futureCall(writeBatch.request());
      return writeBatch.done(firestoreConnection.await(sent, firestoreConnection.commit));
    } catch (ApiException e) {
      var conditional = writeBatch.conditional();
      if (!CONFLICT.contains(FirestoreConnection.code(e)) || conditional.isEmpty())
        throw firestoreConnection.translate(
            e, "a commit of " + writeBatch.writes().getFirst().key().path());
      return new CommitResult.Conflict(conflictingKey(writeBatch.names(), conditional));
    }
  }

  /**
   * Firestore does not say which precondition failed. If the documents have changed again, the
   * first conditional write counts as the conflict.
   */
  private DocumentKey<?> conflictingKey(
      DocumentNames documentNames, List<LedgerWrite> conditional) {
    if (conditional.size() == 1) return conditional.getFirst().key();
    var paths = conditional.stream().map(w -> documentNames.name(w.key())).toList();
    var found = reader.read(paths, Optional.of(NAME));
    return conditional.stream()
        .filter(w -> conflicts(w, Optional.ofNullable(found.get(documentNames.name(w.key())))))
        .findFirst()
        .orElse(conditional.getFirst())
        .key();
  }

  private static boolean conflicts(LedgerWrite ledgerWrite, Optional<Document> there) {
    if (!(ledgerWrite instanceof LedgerWrite.Update update)) return there.isPresent();
    return there
        .filter(d -> DocumentMapper.version(d.getUpdateTime()).equals(update.version()))
        .isEmpty();
  }
}
