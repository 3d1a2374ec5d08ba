package dev.mayfly.core.query;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.port.LedgerMeter;
import dev.mayfly.core.state.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Calls back when a job changes. Callers of one job share its reads: a document and a total, the
 * first after a tenth of a second, later ones once a second.
 *
 * <p>Shards change without a signal, and the ledger has no cheaper way to hear of it.
 */
final class JobWatch {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final Context context;
  private final Map<DocumentKey.OfJob, List<Caller>> callers = new HashMap<>();

  JobWatch(Context context) {
    this.context = context;
  }

  private record Caller(String after, Instant until, Runnable over) {}

  /**
   * Runs {@code over} once, on a thread of the executor: when the job's version differs from {@code
   * after}, or at {@code until}. A job that is gone or unreadable counts as changed, and a store
   * that is away as unchanged.
   */
  void await(DocumentKey.OfJob job, String after, Instant until, Runnable over) {
    synchronized (callers) {
      var waiting = callers.computeIfAbsent(job, _ -> new ArrayList<>());
      waiting.add(new Caller(after, until, over));
      if (waiting.size() > 1) return;
    }
    lookLater(job, SHORTEST);
  }

  private void lookLater(DocumentKey.OfJob job, Duration pause) {
    context.executor().callAt(context.clock().instant().plus(pause), () -> look(job, pause));
  }

  private void look(DocumentKey.OfJob job, Duration pause) {
    var version = version(job);
    var now = context.clock().instant();
    var over = new ArrayList<Caller>();
    boolean more;
    synchronized (callers) {
      var waiting = callers.getOrDefault(job, new ArrayList<>());
      for (var caller : waiting)
        if (!version.orElse(caller.after()).equals(caller.after()) || !now.isBefore(caller.until()))
          over.add(caller);
      waiting.removeAll(over);
      more = !waiting.isEmpty();
      if (!more) callers.remove(job);
    }
    var next = pause.multipliedBy(2);
    if (more) lookLater(job, next.compareTo(LONGEST) < 0 ? next : LONGEST);
    over.forEach(caller -> caller.over().run());
  }

  /** Empty while it cannot be read. */
  private Optional<String> version(DocumentKey.OfJob job) {
    try {
      return Optional.of(LedgerMeter.look(() -> read(job)));
    } catch (UnreadableDocumentException unreadable) {
      return Optional.of("");
    } catch (UnavailableException away) {
      return Optional.empty();
    }
  }

  private String read(DocumentKey.OfJob key) {
    return context
        .ledger()
        .read(key)
        .map(VersionedDocument::value)
        .map(job ->
            JobStatus.version(
                JobStatusBuilder.word(job.state()),
                job.tasks().count(),
                job.state()
                    .end()
                    .map(JobState.Ended::totals)
                    .orElseGet(() -> context.ledger().totals(key))))
        .orElse("");
  }
}
