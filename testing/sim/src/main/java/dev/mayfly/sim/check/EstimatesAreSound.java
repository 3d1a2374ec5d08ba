package dev.mayfly.sim.check;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.estimate.JobStart;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * I32: whoever asks when a job starts, ends and what it costs has an answer: a spread that does not
 * begin in the past and goes forward, an amount that is not negative, or why it is unknown. Whether
 * spreads hold as often as they say is measured ({@code --estimates}).
 */
final class EstimatesAreSound implements Invariant {
  /** Every so many steps one job is asked about, because an answer reads dozens of documents. */
  private static final int EVERY = 200;

  private static final List<String> NO_WORDS = List.of("NaN", "Infinity", "null", "Optional");

  private final GroundTruth groundTruth;
  private final BiFunction<String, String, JobEstimate> estimates;
  private int steps;
  private int next = EVERY;
  private int asked;

  /**
   * @param estimates the answer about a job, by the name of its cluster and its uid
   */
  EstimatesAreSound(GroundTruth groundTruth, BiFunction<String, String, JobEstimate> estimates) {
    this.groundTruth = groundTruth;
    this.estimates = estimates;
  }

  @Override
  public void step() {
    if (++steps < next) return;
    // More and more seldom: an answer about thousands of tasks costs as much as hundreds of steps.
    next = steps + Math.max(EVERY, steps / 20);
    var live = groundTruth.all(Job.class).stream().filter(job -> !job.state().ended()).toList();
    if (live.isEmpty()) return;
    var job = live.get(asked++ % live.size());
    answer(job).ifPresent(estimate -> check(job, estimate));
  }

  /** Nobody can say it while a document is unreadable or deleted. */
  private Optional<JobEstimate> answer(Job job) {
    try {
      return Optional.of(estimates.apply(job.spec().cluster(), job.uid()));
    } catch (UnavailableException | UnknownNameException unknown) {
      return Optional.empty();
    }
  }

  private void check(Job job, JobEstimate estimate) {
    var now = groundTruth.now();
    var start = estimate.start().flatMap(JobStart::spread);
    start.ifPresent(it -> forward(job, "start", now, it.earliest(), it.latest()));
    estimate.rest().ifPresent(it -> check(job, it, now));
    start.ifPresent(it ->
        estimate
            .rest()
            .filter(rest -> rest.earliest().isBefore(it.earliest()))
            .ifPresent(rest -> fail(job, "ends at " + rest + " before it starts at " + it)));
    var unknown = estimate.rest().isEmpty() && estimate.forecast().isEmpty();
    if (unknown && !estimate.text().contains("unknown: "))
      fail(job, "does not say why its end is unknown: " + estimate.text());
    var texts = estimate.text() + estimate.start().map(JobStart::text).orElse("");
    NO_WORDS.stream().filter(texts::contains).forEach(_ -> fail(job, "says " + texts));
  }

  private static void check(Job job, JobEstimate.Rest rest, Instant now) {
    forward(job, "end", now, rest.earliest(), rest.latest());
    if (rest.leastUsd().isPresent() != rest.mostUsd().isPresent()) fail(job, "costs " + rest);
    var least = rest.leastUsd().orElse(0.0);
    var most = rest.mostUsd().orElse(least);
    if (!(least >= 0 && least <= most && Double.isFinite(most))) fail(job, "costs " + rest);
  }

  /** Documents have times to the microsecond. */
  private static void forward(Job job, String what, Instant now, Instant earliest, Instant latest) {
    if (earliest.isBefore(now.truncatedTo(ChronoUnit.MICROS)) || latest.isBefore(earliest))
      fail(job, "%s from %s to %s, said at %s".formatted(what, earliest, latest, now));
  }

  private static void fail(Job job, String what) {
    throw new InvariantViolation("I32", "estimate of " + job.uid() + ": " + what);
  }
}
