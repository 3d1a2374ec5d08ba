package dev.mayfly.core.plan.spending;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * How long a job may take from the start of its first task to its end, lost attempts and waits
 * included: the stricter of its own {@code maxRunTime} and that of its cluster. Each retry of an
 * ended job counts anew: the time between is nobody's, and a person has asked for it.
 *
 * <p><b>Must:</b> stop the job at the end of that time. Its tasks have their grace after it.
 *
 * @param address of the job
 * @param cluster whose file has the limit; empty if the job's own has it
 * @param since when its first task was given to a machine; empty before
 */
public record RunTimeLimit(
    String address, Duration max, Optional<String> cluster, Optional<Instant> since) {
  /** The longest that can be written. */
  public static final Duration LONGEST = Duration.ofDays(365);

  /** From these fifths of it on people are told. */
  private static final int NEAR = 4;

  /** Empty for a job that may take any time. */
  public static Optional<RunTimeLimit> of(Job job, ClusterSpec cluster) {
    var run = run(job);
    var own = run.max().or(() -> job.spec().admission().maxRunTime());
    return of(job.spec().address(), own, cluster, run.since());
  }

  /** Of a job that is not submitted yet. */
  public static Optional<RunTimeLimit> of(JobSpec job, ClusterSpec cluster) {
    return of(job.address(), job.admission().maxRunTime(), cluster, Optional.empty());
  }

  /** Since when a job runs, and what a retry has changed, as far as its document has it. */
  public static AdmissionRules.RunTime run(Job job) {
    return job.runTime().orElse(AdmissionRules.RunTime.NONE);
  }

  private static Optional<RunTimeLimit> of(
      String address, Optional<Duration> own, ClusterSpec cluster, Optional<Instant> since) {
    var ofAll = cluster.limit().maxRunTime();
    var isOwn = own.filter(most -> ofAll.filter(all -> all.compareTo(most) < 0).isEmpty());
    if (isOwn.isPresent())
      return Optional.of(new RunTimeLimit(address, isOwn.get(), Optional.empty(), since));
    return ofAll.map(most -> new RunTimeLimit(address, most, Optional.of(cluster.name()), since));
  }

  /** When the job is stopped; empty before its first task. */
  public Optional<Instant> until() {
    return since.map(from -> from.plus(max));
  }

  /** What is left of it; negative once it is over. */
  public Duration left(Instant now) {
    return until().map(end -> Duration.between(now, end)).orElse(max);
  }

  /** Whether the job is stopped now. */
  public boolean isReached(Instant now) {
    return until().filter(end -> !end.isAfter(now)).isPresent();
  }

  /** Whether people are told that it will be. */
  public boolean isNear(Instant now) {
    var told = since.map(from -> from.plus(max.multipliedBy(NEAR).dividedBy(NEAR + 1)));
    return told.filter(at -> !at.isAfter(now)).isPresent();
  }

  /** What stops the job: {@code its maxRunTime of 12h}. */
  public String name() {
    return cluster
        .map(it ->
            "the maxRunTime of %s that cluster %s has for each job (limits.maxRunTime in its file)"
                .formatted(HumanDuration.exact(max), it))
        .orElseGet(() -> "its maxRunTime of " + HumanDuration.exact(max));
  }

  /** Why the job is stopped. */
  public String whyStopped() {
    return "%s is over: its first task started at %s; what is done stays done, and a retry gives the others as long again: mayfly retry %s; %s"
        .formatted(name(), time(since), address, longer("to give them longer"));
  }

  /** What people are told before. */
  public String whyTold(Instant now) {
    return "%s ends in %s, at %s: its first task started at %s; then it is stopped; %s"
        .formatted(
            name(),
            HumanDuration.result(left(now)),
            time(until()),
            time(since),
            longer("to let it go on"));
  }

  /** Until when it may run, for a list; empty before its first task. */
  public Optional<String> untilText() {
    return until()
        .map(end ->
            "it is stopped at %s (maxRunTime of %s%s)"
                .formatted(
                    time(Optional.of(end)),
                    HumanDuration.exact(max),
                    cluster.map(it -> " of cluster " + it).orElse("")));
  }

  private String longer(String what) {
    return cluster.isPresent()
        ? "%s, raise limits.maxRunTime in the file of cluster %s and mayfly up it"
            .formatted(what, cluster.get())
        : "%s: %s".formatted(what, remedy(max));
  }

  /** The command that gives the job twice as long. */
  public String remedy(Duration than) {
    var twice = than.multipliedBy(2);
    var next = twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    return "mayfly retry %s --max-run-time %s".formatted(address, HumanDuration.result(next));
  }

  private static String time(Optional<Instant> at) {
    return at.map(it -> it.truncatedTo(ChronoUnit.SECONDS).toString()).orElse("no time yet");
  }
}
