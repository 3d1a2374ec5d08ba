package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;
import java.util.Optional;

/**
 * Stops that arrived before their jobs, as {@link JobStop} left them: topics keep no order. One of
 * the owner's name holds for the owner's job; one without owner that found no live job holds for
 * the next job of that name, whatever its owner.
 */
public record EarlyStops(Ledger ledger) {
  /**
   * Whether a stop that was published after this submission has arrived before it.
   *
   * @param key of the job's name
   * @param name what is stored of it
   */
  public boolean stop(
      DocumentKey.OfJobName key, Optional<VersionedDocument<JobName>> name, Instant publishedAt) {
    if (name.filter(own -> isStopped(own.value(), publishedAt)).isPresent()) return true;
    if (key.owner().isEmpty()) return false;
    return ledger
        .read(new DocumentKey.OfJobName(key.cluster(), Optional.empty(), key.name()))
        .map(VersionedDocument::value)
        .filter(anybodys -> isStopped(anybodys, publishedAt) && !wasMeant(anybodys))
        .isPresent();
  }

  private static boolean isStopped(JobName name, Instant publishedAt) {
    return name.stoppedBefore().filter(at -> !publishedAt.isAfter(at)).isPresent();
  }

  /** Whether the name had a job of its own when it was stopped, or may have had. */
  private boolean wasMeant(JobName name) {
    var stoppedAt = name.stoppedBefore().orElseThrow();
    return name.job()
        .flatMap(uid -> ledger.read(new DocumentKey.OfJob(name.cluster(), uid)))
        .filter(job ->
            job.value().state().end().filter(end -> end.since().isBefore(stoppedAt)).isEmpty())
        .isPresent();
  }
}
