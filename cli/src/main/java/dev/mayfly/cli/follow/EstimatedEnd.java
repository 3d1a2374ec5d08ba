package dev.mayfly.cli.follow;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.JobEnds;
import dev.mayfly.core.query.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * When a job that is followed may be done. An answer costs the control plane some dozens of reads,
 * so it is asked seldom while the end is far, and more often as it comes near.
 */
final class EstimatedEnd {
  /** Before that nothing is known of a job that was just submitted. */
  private static final Duration FIRST = Duration.ofSeconds(10);

  private static final Duration LEAST_PAUSE = Duration.ofSeconds(5);
  private static final Duration MOST_PAUSE = Duration.ofMinutes(1);

  private final ApiClient apiClient;
  private final InstantSource clock;
  private @Nullable Instant next;
  private Duration unknown = FIRST;
  private String words = "";

  EstimatedEnd(ApiClient apiClient, InstantSource clock) {
    this.apiClient = apiClient;
    this.clock = clock;
  }

  /** {@code done in 5m to 7m}, as it was last answered; empty while that is not known. */
  String of(JobStatus job) {
    if (!job.state().equals("running")) {
      next = null;
      words = "";
      return words;
    }
    var now = clock.instant();
    if (next == null) next = now.plus(FIRST);
    if (now.isBefore(next)) return words;
    var rest = JobEnds.rest(apiClient, job);
    words = rest.map(spread -> "done in " + spread.span(now)).orElse("");
    next = now.plus(rest.map(spread -> pause(now, spread.latest())).orElse(unknown));
    unknown = shorter(unknown.multipliedBy(2), MOST_PAUSE);
    return words;
  }

  private static Duration pause(Instant now, Instant latest) {
    var quarter = Duration.between(now, latest).dividedBy(4);
    if (quarter.compareTo(LEAST_PAUSE) < 0) return LEAST_PAUSE;
    return shorter(quarter, MOST_PAUSE);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
