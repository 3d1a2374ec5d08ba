package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.spending.RunTimeLimit;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The limits of a job that stop it, and its deadline, in words beside an estimate: those that it
 * may pass first.
 *
 * @param maxUsd what its tasks may cost in all
 * @param spent of that
 * @param start in what time a task must start; empty if one has started
 * @param deadline the time until it; negative once it has passed
 * @param run how long it may take
 */
public record StoppingLimits(
    Optional<Double> maxUsd,
    double spent,
    Optional<Duration> start,
    Optional<Duration> deadline,
    Optional<RunLeft> run) {
  private static final double MILLIS = 1_000;

  /**
   * What is left of the time that it may take.
   *
   * @param name of the limit, in words
   * @param begun whether its first task has started
   */
  record RunLeft(String name, Duration left, boolean begun) {
    static RunLeft of(RunTimeLimit limit, Instant now) {
      return new RunLeft(limit.name(), limit.left(now), limit.since().isPresent());
    }

    private String passes(boolean surely) {
      return "%s%s %s it before its end"
          .formatted(
              name,
              begun ? " (%s is left)".formatted(HumanDuration.result(left)) : "",
              surely ? "stops" : "may stop");
    }

    private String keeps() {
      return begun
          ? "it is stopped in %s at the latest (%s)".formatted(HumanDuration.result(left), name)
          : "it is stopped %s after the start of its first task (%s)"
              .formatted(HumanDuration.result(left), name);
    }
  }

  /** What is estimated; empty as far as that is not known. */
  record Expected(
      Optional<Double> leastUsd,
      Optional<Double> mostUsd,
      Optional<Double> leastSeconds,
      Optional<Double> mostSeconds) {
    static final Expected NOTHING =
        new Expected(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    static Expected of(JobEstimate.Rest rest, Instant now) {
      return new Expected(
          rest.leastUsd(),
          rest.mostUsd(),
          Optional.of(Duration.between(now, rest.earliest()).toMillis() / MILLIS),
          Optional.of(Duration.between(now, rest.latest()).toMillis() / MILLIS));
    }

    static Expected of(JobForecast.Run run) {
      return new Expected(
          run.leastUsd(),
          run.mostUsd(),
          Optional.of(run.leastSeconds()),
          Optional.of(run.mostSeconds()));
    }
  }

  /** Of a job that is not submitted yet. */
  public static StoppingLimits of(JobSpec job, ClusterSpec cluster) {
    return new StoppingLimits(
        job.admission().maxUsd(),
        0,
        job.admission().queueTimeout(),
        job.retries().onDemand().deadline(),
        RunTimeLimit.of(job, cluster).map(limit -> RunLeft.of(limit, Instant.EPOCH)));
  }

  /**
   * @param spent by its tasks, as its {@code maxUsd} counts it
   */
  static StoppingLimits of(
      Job job, ClusterSpec cluster, TaskTotals totals, double spent, Instant now) {
    var spec = job.spec();
    var begun = totals.done() + totals.failed() + totals.leased() > 0;
    var since = job.state() instanceof JobState.Running running ? running.since() : now;
    return new StoppingLimits(
        job.maxUsd(),
        spent,
        spec.admission()
            .queueTimeout()
            .filter(_ -> !begun)
            .map(limit -> Duration.between(now, since.plus(limit))),
        spec.retries()
            .onDemand()
            .deadline()
            .map(time -> Duration.between(now, job.submittedAt().plus(time))),
        RunTimeLimit.of(job, cluster).map(limit -> RunLeft.of(limit, now)));
  }

  /** Those that the job passes, or may pass, if it goes as estimated; each half a sentence. */
  public List<String> passed(JobForecast forecast) {
    return passed(forecast.run().map(Expected::of).orElse(Expected.NOTHING));
  }

  /** The others. */
  public List<String> kept(JobForecast forecast) {
    return kept(forecast.run().map(Expected::of).orElse(Expected.NOTHING));
  }

  /** The words of an estimate with all of them: first the cause for which they may not be true. */
  String around(String text, Expected expected) {
    var passed = passed(expected);
    var kept = kept(expected);
    return (passed.isEmpty() ? "" : String.join(", and ", passed) + ": ")
        + text
        + (kept.isEmpty() ? "" : "; " + String.join("; ", kept));
  }

  private List<String> passed(Expected expected) {
    var passed = new ArrayList<String>();
    maxUsd
        .filter(most -> isAbove(expected.mostUsd(), most - spent))
        .ifPresent(most ->
            passed.add(
                "its maxUsd of %s%s %s it before its end"
                    .formatted(
                        HumanAmounts.exactUsd(most),
                        spent > 0 ? " (%s is spent)".formatted(HumanAmounts.usd(spent)) : "",
                        isAbove(expected.leastUsd(), most - spent) ? "stops" : "may stop")));
    run.filter(it -> isAbove(expected.mostSeconds(), seconds(it.left())))
        .ifPresent(
            it -> passed.add(it.passes(isAbove(expected.leastSeconds(), seconds(it.left())))));
    deadline
        .filter(left -> isAbove(expected.mostSeconds(), seconds(left)))
        .ifPresent(left ->
            passed.add(
                "it %s after its deadline%s, which stops nothing"
                    .formatted(
                        isAbove(expected.leastSeconds(), seconds(left)) ? "ends" : "may end",
                        left.isPositive() ? " in " + HumanDuration.result(left) : "")));
    return passed;
  }

  private List<String> kept(Expected expected) {
    var kept = new ArrayList<String>();
    maxUsd
        .filter(most -> !isAbove(expected.mostUsd(), most - spent))
        .ifPresent(most ->
            kept.add(
                "it is stopped when its tasks cost %s (maxUsd%s)"
                    .formatted(
                        HumanAmounts.exactUsd(most),
                        spent > 0 ? ", %s is spent".formatted(HumanAmounts.usd(spent)) : "")));
    run.filter(it -> !isAbove(expected.mostSeconds(), seconds(it.left())))
        .ifPresent(it -> kept.add(it.keeps()));
    start.ifPresent(left ->
        kept.add(
            "it is stopped if no task starts within %s (queueTimeout)"
                .formatted(HumanDuration.result(left.isPositive() ? left : Duration.ZERO))));
    deadline
        .filter(left -> !isAbove(expected.mostSeconds(), seconds(left)))
        .ifPresent(left ->
            kept.add(
                left.isPositive()
                    ? "its deadline is in " + HumanDuration.result(left)
                    : "its deadline has passed, which stops nothing"));
    return kept;
  }

  private static boolean isAbove(Optional<Double> expected, double limit) {
    return expected.filter(it -> it > limit).isPresent();
  }

  private static double seconds(Duration span) {
    return span.toMillis() / MILLIS;
  }
}
