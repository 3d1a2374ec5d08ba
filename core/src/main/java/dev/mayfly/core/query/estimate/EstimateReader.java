package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.lease.LivenessPolicy;
import dev.mayfly.core.plan.spending.JobSpending;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.query.task.FailedTasks;
import dev.mayfly.core.query.task.TaskQueries;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.job.limit.SpendingReader;
import dev.mayfly.core.state.worker.DueTimes;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Estimates when a job is done, by what some of its tasks took and by those that run. A reading
 * changes nothing; the same state has the same estimate. It reads some dozens of sentinels.
 */
public final class EstimateReader {
  /** Sentinels of each place of a job that are read. */
  private static final int EACH = 12;

  private static final int MOST_WORKERS = 2_000;

  /** Jobs that are read for one answer: the job, and those that it waits for. */
  private static final int MOST_ASKED = 6;

  /** By when the end of a job has started those that wait for it. */
  private static final Duration PASS = Duration.ofMinutes(1);

  private static final double MILLIS = 1_000;
  private static final double SECONDS_PER_HOUR = 3_600;

  /** An end is known when its machine has reported: what an answer says is not past at once. */
  private static final double HEARD = 10;

  private final Ledger ledger;
  private final TaskQueries taskQueries;
  private final InstantSource clock;
  private final Timings timings;
  private final SpendingReader spendingReader;

  public EstimateReader(Context context, TaskQueries taskQueries) {
    ledger = context.ledger();
    clock = context.clock();
    timings = context.timings();
    spendingReader = new SpendingReader(context);
    this.taskQueries = taskQueries;
  }

  /** A sentence says why where nothing is known to estimate by. */
  public JobEstimate read(Cluster cluster, Job job) {
    return new Reading(cluster).of(job);
  }

  /** One answer. */
  private final class Reading {
    private final Cluster cluster;
    private final DurationReader durations;

    /** Counts jobs as often as they are looked at: they may wait for each other in a circle. */
    private int asked;

    private Reading(Cluster cluster) {
      this.cluster = cluster;
      durations = new DurationReader(ledger, taskQueries, cluster);
    }

    private JobEstimate of(Job job) {
      asked++;
      var now = clock.instant();
      var totals = ledger.totals(job.key());
      var took = durations.took(job, totals.done(), EACH);
      var end = end(job, totals, took);
      var estimate = start(job, totals).map(it -> end.starting(it, now)).orElse(end);
      var limited =
          job.state() instanceof JobState.Running && !isOpen(job)
              ? estimate.within(
                  StoppingLimits.of(job, cluster.spec(), totals, spent(job), now), now)
              : estimate;
      return took.filter(_ -> !isOpen(job)).map(limited::having).orElse(limited);
    }

    private static boolean isOpen(Job job) {
      return !(job.state() instanceof JobState.Ended) && job.tasks().open().isPresent();
    }

    private JobEstimate end(Job job, TaskTotals totals, Optional<DurationSample> took) {
      if (isOpen(job)) return JobEstimate.unknown("tasks may be added to it");
      return switch (job.state()) {
        case JobState.Waiting _, JobState.Expanding _ ->
            byEarlier(
                durations,
                cluster,
                job,
                Math.max(totals.open(), job.tasks().count()),
                "its tasks do not run yet");
        case JobState.Running _ -> ofRunning(durations, cluster, job, totals, took);
        case JobState.Stopping _, JobState.Finishing _, JobState.Ended _ ->
            JobEstimate.unknown("its tasks do not run");
      };
    }

    /** Empty if tasks of it are on machines, or none waits. */
    private Optional<JobStart> start(Job job, TaskTotals totals) {
      return switch (job.state()) {
        case JobState.Waiting _ -> Optional.of(afterOthers(job));
        case JobState.Expanding _ -> Optional.of(JobStart.unknown("its tasks are being listed"));
        case JobState.Running _ when totals.leased() == 0 && totals.ready() > 0 ->
            Optional.of(
                new StartReader(ledger, cluster, clock.instant(), timings, durations).read(job));
        case JobState.Running _, JobState.Stopping _, JobState.Finishing _, JobState.Ended _ ->
            Optional.empty();
      };
    }

    /** When the jobs have ended that it waits for. */
    private JobStart afterOthers(Job job) {
      var now = clock.instant();
      var earliest = now;
      var latest = now;
      var awaited = new ArrayList<String>();
      var stuck = Optional.<String>empty();
      var unknown = Optional.<String>empty();
      for (var predecessor : job.spec().admission().after()) {
        var found =
            predecessor
                .uid()
                .flatMap(uid -> ledger.read(new DocumentKey.OfJob(job.cluster(), uid)));
        if (found.isEmpty())
          return JobStart.unknown("job %s has not arrived yet".formatted(predecessor.job()));
        var before = found.get().value();
        if (before.state() instanceof JobState.Ended) continue;
        var name = before.spec().name();
        var failed = predecessor.on() == Predecessor.On.END ? 0 : FailedTasks.of(ledger, before);
        if (failed > 0)
          return JobStart.never(
              "%s of job %s failed for good, and it starts once that has succeeded"
                  .formatted(HumanAmounts.count(failed, "task"), name));
        if (asked >= MOST_ASKED)
          return JobStart.unknown(
              "it waits for more jobs than are looked at, %s too".formatted(name));
        var estimate = of(before);
        if (estimate.rest().isEmpty()) {
          var why = "it waits for the end of job %s, which is %s".formatted(name, estimate.text());
          var isStuck = estimate.start().filter(it -> it.spread().isEmpty()).isPresent();
          // What has no end in sight is told before what will have one.
          if (isStuck && stuck.isEmpty()) stuck = Optional.of(why);
          if (unknown.isEmpty()) unknown = Optional.of(why);
          continue;
        }
        var rest = estimate.rest().get();
        if (rest.earliest().isAfter(earliest)) earliest = rest.earliest();
        if (rest.latest().isAfter(latest)) latest = rest.latest();
        awaited.add(name);
      }
      var why = stuck.isPresent() ? stuck : unknown;
      if (why.isPresent()) return JobStart.unknown(why.get());
      return JobStart.of(
          new JobStart.Spread(earliest, latest.plus(PASS)),
          awaited.isEmpty()
              ? "as the jobs before it have ended"
              : "after the end of %s, if machines have room then"
                  .formatted((awaited.size() == 1 ? "job " : "jobs ") + String.join(", ", awaited)),
          now);
    }
  }

  /** Read only if a limit is compared with it. */
  private double spent(Job job) {
    if (job.maxUsd().isEmpty()) return 0;
    return spendingReader
        .exactly(job)
        .map(JobSpending::spent)
        .orElseGet(() -> job.spent().endedUsd());
  }

  private JobEstimate ofRunning(
      DurationReader durations,
      Cluster cluster,
      Job job,
      TaskTotals totals,
      Optional<DurationSample> took) {
    var now = clock.instant();
    var machines = new JobMachines(job, workers(job));
    // A worker's document may be older than the ranges, which were taken from it since.
    var running =
        totals.leased() == 0
            ? List.<RunningReader.Running>of()
            : new RunningReader(ledger, now).of(job, machines.all()).tasks();
    var counts = new OwnCounts(running);
    var kept = running.isEmpty() ? KeptWork.of(ledger, job, totals, now) : KeptWork.NONE;
    if (kept.isKnown())
      return JobEstimate.unknown("none of its tasks runs now")
          .with(
              JobForecast.of(job.spec(), totals.open(), cluster.spec(), kept.took(), kept.basis()));
    if (took.isEmpty() && counts.seconds().isEmpty())
      return byEarlier(
          durations,
          cluster,
          job,
          totals.open(),
          running.isEmpty() ? "none of its tasks runs now" : counts.lacking(totals.open(), now));
    if (running.isEmpty())
      return JobEstimate.unknown("none of its tasks runs now")
          .with(
              JobForecast.of(
                  job.spec(),
                  totals.open(),
                  cluster.spec(),
                  took.orElseThrow(),
                  "each as the %,d that ended".formatted(totals.done())));
    var ended = took.map(DurationSample::seconds).orElse(counts.seconds());
    var losses = JobLosses.of(ledger, job);
    var rest =
        new RestOfJob(
            ended,
            totals.done() + totals.failed(),
            running.stream().map(task -> task.at(now)).toList(),
            running.size(),
            machines.coming(machines.together(running.size()), now),
            Math.max(0, totals.open() - running.size()),
            losses.of(machines, running.size(), totals.done()));
    var seed = job.uid().hashCode() + (int) totals.done();
    var spread = rest.spread(new SplittableRandom(seed));
    var usd = usdPerSecond(running);
    return JobEstimate.of(
        new JobEstimate.Rest(
            after(now, spread.least()),
            after(now, Math.max(spread.most(), HEARD)),
            usd.map(price -> price * spread.leastOfTasks()),
            usd.map(price -> price * spread.mostOfTasks())),
        "if %s%s, %s%s"
            .formatted(
                silent(job, running, now),
                RunningReader.atOnce(running),
                took.isEmpty() ? counts.text(now) : each(ended, totals.done()),
                losses.undisturbed(rest, spread, seed, now)),
        now);
  }

  /** Nobody knows how far a task is on a machine that does not report. */
  private String silent(Job job, List<RunningReader.Running> running, Instant now) {
    var due = DueTimes.stored(ledger, job.cluster());
    var liveness = LivenessPolicy.of(timings);
    var silent =
        running.stream()
            .flatMap(task -> task.workers().stream())
            .distinct()
            .filter(worker -> liveness.silentSince(worker, due, now).isPresent())
            .sorted()
            .toList();
    return switch (silent.size()) {
      case 0 -> "";
      case 1 -> "machine %s, which is silent, reports again, and ".formatted(silent.getFirst());
      default -> "%d machines that are silent report again, and ".formatted(silent.size());
    };
  }

  private static String each(List<Double> ended, long done) {
    return ended.size() == 1
        ? "each as the one that ended"
        : "each as the %,d that ended".formatted(done);
  }

  /** By what the newest ended job of the name did, if it did anything. */
  private static JobEstimate byEarlier(
      DurationReader durations, Cluster cluster, Job job, long open, String why) {
    var unknown = JobEstimate.unknown(why);
    if (open == 0) return unknown;
    return durations
        .earlier(job, EACH)
        .map(earlier ->
            unknown.with(
                JobForecast.of(
                    job.spec(),
                    open,
                    cluster.spec(),
                    earlier.took(),
                    earlier.took().basis(job.spec().name(), earlier.job().submittedAt()))))
        .orElse(unknown);
  }

  static Instant after(Instant now, double seconds) {
    return now.plusMillis(Math.round(seconds * MILLIS));
  }

  private static Optional<Double> usdPerSecond(List<RunningReader.Running> running) {
    if (running.stream().anyMatch(task -> task.usdPerHour().isEmpty())) return Optional.empty();
    return Optional.of(
        running.stream()
                .mapToDouble(task -> task.usdPerHour().orElseThrow())
                .average()
                .orElseThrow()
            / SECONDS_PER_HOUR);
  }

  private List<Worker> workers(Job job) {
    return ledger
        .query(new LedgerQuery.Workers(job.cluster(), false, MOST_WORKERS))
        .readableOnly()
        .stream()
        .map(VersionedDocument::value)
        .toList();
  }
}
