package dev.mayfly.cli.follow;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.JobEnds;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.estimate.JobStart;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a job that is followed may start, while it waits, and then when it may be done. An answer
 * costs the control plane some dozens of reads, so it is asked seldom while the end is far, and
 * more often as it comes near.
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
  private boolean waited;

  EstimatedEnd(ApiClient apiClient, InstantSource clock) {
    this.apiClient = apiClient;
    this.clock = clock;
  }

  /**
   * {@code starts in 3m to 6m} or {@code done in 5m to 7m}, as it was last answered; empty while
   * that is not known.
   */
  String of(JobStatus job) {
    var waits = JobEnds.waits(job);
    if (!waits && !job.state().equals("running")) {
      next = null;
      words = "";
      return words;
    }
    var now = clock.instant();
    if (next == null || waits != waited) {
      next = now.plus(FIRST);
      unknown = FIRST;
      words = "";
    }
    waited = waits;
    if (now.isBefore(next)) return words;
    var latest = waits ? start(job, now) : end(job, now);
    next = now.plus(latest.map(at -> pause(now, at)).orElse(unknown));
    unknown = shorter(unknown.multipliedBy(2), MOST_PAUSE);
    return words;
  }

  private Optional<Instant> start(JobStatus job, Instant now) {
    var spread = JobEnds.read(apiClient, job).flatMap(JobEstimate::start).flatMap(JobStart::spread);
    words = spread.map(it -> "starts " + it.words(now)).orElse("");
    return spread.map(JobStart.Spread::latest);
  }

  private Optional<Instant> end(JobStatus job, Instant now) {
    var rest = JobEnds.read(apiClient, job).flatMap(JobEstimate::rest);
    words = rest.map(it -> "done in " + it.span(now)).orElse("");
    return rest.map(JobEstimate.Rest::latest);
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
