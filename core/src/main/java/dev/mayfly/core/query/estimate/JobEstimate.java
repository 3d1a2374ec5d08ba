package dev.mayfly.core.query.estimate;

import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * When a job may be done, and what its tasks cost until then, if they go on as they did.
 *
 * @param start of its first task that waits; empty if some of its tasks are on machines, or none
 *     waits
 * @param rest empty if nothing is known to say it by
 * @param forecast of all that it has to run, while none of its tasks has run, by what an earlier
 *     job of its name did; empty if there is none
 * @param took what its own tasks took that have ended; empty if none has
 * @param text the same for people, with what it is said by; or why it is unknown. Limits by which
 *     the job is stopped before stand first, the others last
 */
public record JobEstimate(
    Optional<JobStart> start,
    Optional<Rest> rest,
    Optional<JobForecast> forecast,
    Optional<DurationSample> took,
    String text) {
  private static final double MILLIS = 1_000;
  private static final Duration SECONDS_COUNT_BELOW = Duration.ofMinutes(2);

  /** Nothing is known to say it by. */
  public static JobEstimate unknown(String why) {
    return new JobEstimate(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), "unknown: " + why);
  }

  /** Only an earlier job tells something. */
  JobEstimate with(JobForecast jobForecast) {
    return new JobEstimate(
        start, rest, Optional.of(jobForecast), took, text + "; " + jobForecast.text());
  }

  /** It waits: its end follows from its start and what it takes then, as far as both are known. */
  JobEstimate starting(JobStart jobStart, Instant now) {
    var begins = Optional.of(jobStart);
    var ends =
        jobStart
            .spread()
            .flatMap(from -> forecast.flatMap(JobForecast::run).map(run -> Rest.of(from, run)));
    if (ends.isEmpty()) return new JobEstimate(begins, rest, forecast, took, text);
    var words =
        "in about %s, if it starts as said and takes %s"
            .formatted(ends.get().span(now), forecast.map(JobForecast::text).orElseThrow());
    return new JobEstimate(begins, ends, forecast, took, words);
  }

  /** Limits that it passes come first in its words, the others last. */
  JobEstimate within(StoppingLimits limits, Instant now) {
    var expected =
        rest.map(it -> StoppingLimits.Expected.of(it, now))
            .or(() -> forecast.flatMap(JobForecast::run).map(StoppingLimits.Expected::of))
            .orElse(StoppingLimits.Expected.NOTHING);
    return new JobEstimate(start, rest, forecast, took, limits.around(text, expected));
  }

  JobEstimate having(DurationSample durationSample) {
    return new JobEstimate(start, rest, forecast, Optional.of(durationSample), text);
  }

  /**
   * @param basis what it is said by: half a sentence
   */
  static JobEstimate of(Rest rest, String basis, Instant now) {
    return new JobEstimate(
        Optional.empty(),
        Optional.of(rest),
        Optional.empty(),
        Optional.empty(),
        "in about %s%s, %s".formatted(rest.span(now), rest.price(), basis));
  }

  /**
   * A spread that holds nine times out of ten.
   *
   * @param leastUsd of the job's tasks alone; empty if a price is not known
   */
  public record Rest(
      Instant earliest, Instant latest, Optional<Double> leastUsd, Optional<Double> mostUsd) {
    private static Rest of(JobStart.Spread start, JobForecast.Run run) {
      return new Rest(
          start.earliest().plusMillis(Math.round(run.leastSeconds() * MILLIS)),
          start.latest().plusMillis(Math.round(run.mostSeconds() * MILLIS)),
          run.leastUsd(),
          run.mostUsd());
    }

    /** {@code 5m to 7m} from now on, or one time if both are alike; minutes have no seconds. */
    public String span(Instant now) {
      return JobEstimate.span(now, earliest, latest);
    }

    private String price() {
      return JobEstimate.usd(leastUsd, mostUsd).map(usd -> " for " + usd + " more").orElse("");
    }
  }

  /** {@code 5m to 7m} from now on, or one time if both are alike; minutes have no seconds. */
  static String span(Instant now, Instant earliest, Instant latest) {
    var least = Duration.between(now, earliest);
    var most = Duration.between(now, latest);
    if (least.compareTo(SECONDS_COUNT_BELOW) >= 0) least = least.truncatedTo(ChronoUnit.MINUTES);
    if (most.compareTo(SECONDS_COUNT_BELOW) >= 0)
      most = most.plusSeconds(59).truncatedTo(ChronoUnit.MINUTES);
    return range(HumanDuration.result(least), HumanDuration.result(most));
  }

  /** Empty if one of both is not known. */
  static Optional<String> usd(Optional<Double> least, Optional<Double> most) {
    return least.flatMap(
        one -> most.map(other -> range(HumanAmounts.usd(one), HumanAmounts.usd(other))));
  }

  static String range(String least, String most) {
    return least.equals(most) ? most : least + " to " + most;
  }
}
