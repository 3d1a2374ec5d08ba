package dev.mayfly.gcp.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode.Code;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Batches, and whose fault it is when one was not written. */
final class Commits {
  private static final Set<Code> CONFLICT =
      EnumSet.of(Code.FAILED_PRECONDITION, Code.ALREADY_EXISTS, Code.NOT_FOUND);
  private static final DocumentMask NAME =
      DocumentMask.newBuilder().addFieldPaths("__name__").build();
  private static final int FIRST_PAUSE_MILLIS = 40;
  private static final int LONGEST_PAUSE_MILLIS = 640;

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
    var request = batch.request();
    try {
      return batch.done(sent(request));
    } catch (ApiException e) {
      var conditional = batch.conditional();
      if (!CONFLICT.contains(Calls.code(e)) || conditional.isEmpty())
        throw calls.sorted(e, "a commit of " + batch.writes().getFirst().key().path());
      return new Committed.Conflict(loser(batch.names(), conditional));
    }
  }

  /** ABORTED says that others held a document and that nothing was written: so it is sent again. */
  private CommitResponse sent(CommitRequest request) {
    var until = System.nanoTime() + calls.commit.toNanos();
    for (var pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
      try {
        var left = Duration.ofNanos(Math.max(1_000_000, until - System.nanoTime()));
        return calls.answer(calls.client().commitCallable().futureCall(request), left);
      } catch (ApiException e) {
        var late = System.nanoTime() + Duration.ofMillis(pause).toNanos() > until;
        if (Calls.code(e) != Code.ABORTED || late) throw e;
        rest(ThreadLocalRandom.current().nextInt(pause) + 1);
      }
    }
  }

  private static void rest(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted while waiting for others' commits", e);
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
