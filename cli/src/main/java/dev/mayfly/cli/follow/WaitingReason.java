package dev.mayfly.cli.follow;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.PrintableText;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a person who follows a job why none of its tasks runs: when it has waited for a while, and
 * again when another kind of reason is the most important one.
 */
final class WaitingReason {
  /** A machine that is there takes a task sooner. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final ApiClient apiClient;
  private final InstantSource clock;
  private @Nullable Instant next;
  private @Nullable String said;

  WaitingReason(ApiClient apiClient, InstantSource clock) {
    this.apiClient = apiClient;
    this.clock = clock;
  }

  /**
   * What is new; asks the control plane at most once a minute. An answer that does not come ends
   * nothing: the job is followed all the same.
   */
  Optional<String> news(JobStatus job) {
    var waits = JobLines.state(job).equals("waiting");
    if (!waits && !job.state().equals("running")) {
      next = null;
      said = null;
      return Optional.empty();
    }
    var now = clock.instant();
    if (next == null) next = now.plus(PATIENCE);
    if (now.isBefore(next)) return Optional.empty();
    next = now.plus(INTERVAL);
    try {
      var explanation = apiClient.explain(job.cluster(), job.uid());
      return waits ? changed(job, first(explanation)) : stalled(job, explanation);
    } catch (MayflyException | CommandException unanswered) {
      return Optional.empty();
    }
  }

  /** What holds up tasks that have begun. */
  private Optional<String> stalled(JobStatus job, JobExplanation explanation) {
    var why =
        explanation.reasons().stream().filter(JobExplanation.Reason::tellsOfBegun).findFirst();
    if (why.isEmpty()) said = null;
    return why.flatMap(reason -> changed(job, reason));
  }

  private Optional<String> changed(JobStatus job, JobExplanation.Reason reason) {
    if (reason.kind().equals(said)) return Optional.empty();
    said = reason.kind();
    return Optional.of("job %s waits: %s".formatted(job.name(), PrintableText.line(reason.text())));
  }

  private static JobExplanation.Reason first(JobExplanation explanation) {
    return explanation.reasons().stream()
        .filter(JobExplanation.Reason::tellsWhy)
        .findFirst()
        .orElseGet(() -> new JobExplanation.Reason("", explanation.summary()));
  }
}
