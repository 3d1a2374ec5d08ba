package dev.mayfly.gcp.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode.Code;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Write;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Batches, and whose fault it is when one was not written. */
final class Commits {
  private static final Set<Code> CONFLICT =
      EnumSet.of(Code.FAILED_PRECONDITION, Code.ALREADY_EXISTS, Code.NOT_FOUND);
  private static final DocumentMask NAME =
      DocumentMask.newBuilder().addFieldPaths("__name__").build();

  /** Reads documents by name. */
  interface Reader {
    Map<String, Document> read(Collection<String> names, Optional<DocumentMask> mask);
  }

  private final Calls calls;
  private final Reader reader;

  Commits(Calls calls, Reader reader) {
    this.calls = calls;
    this.reader = reader;
  }

  Committed commit(Batch batch) {
    if (batch.writes().isEmpty()) return new Committed.Done(List.of());
    try {
      var sent = calls.client().commitCallable().futureCall(batch.request());
      return batch.done(calls.answer(sent, calls.commit));
    } catch (ApiException e) {
      var conditional = batch.conditional();
      if (!CONFLICT.contains(Calls.code(e)) || conditional.isEmpty())
        throw calls.sorted(e, "a commit of " + batch.writes().getFirst().key().path());
      return new Committed.Conflict(loser(batch.names(), conditional));
    }
  }

  /**
   * Firestore does not say which precondition failed. Somebody may have changed the documents once
   * more since: then it is the first of those that could conflict.
   */
  private Key<?> loser(Names names, List<Write> conditional) {
    if (conditional.size() == 1) return conditional.getFirst().key();
    var paths = conditional.stream().map(w -> names.name(w.key())).toList();
    var found = reader.read(paths, Optional.of(NAME));
    return conditional.stream()
        .filter(w -> conflicts(w, Optional.ofNullable(found.get(names.name(w.key())))))
        .findFirst()
        .orElse(conditional.getFirst())
        .key();
  }

  private static boolean conflicts(Write write, Optional<Document> there) {
    if (!(write instanceof Write.Update update)) return there.isPresent();
    return there.filter(d -> Forms.version(d.getUpdateTime()).equals(update.version())).isEmpty();
  }
}
