package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.plan.spending.JobSpending;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.query.task.TaskQueries;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.job.SpendingReader;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Estimates when a job is done, by what some of its tasks took and by those that run. A reading
 * changes nothing; the same state has the same estimate. It reads some dozens of sentinels.
 */
public final class EstimateReader {
  private static final int PAGES = 3;
  private static final int PAGE = 12;
  private static final int MOST_SHARDS = 100;
  private static final int MOST_JOBS = 50;
  private static final int MOST_WORKERS = 2_000;
  private static final double MILLIS = 1_000;
  private static final double SECONDS_PER_HOUR = 3_600;

  private final Ledger ledger;
  private final TaskQueries taskQueries;
  private final InstantSource clock;
  private final SpendingReader spendingReader;

  public EstimateReader(Context context, TaskQueries taskQueries) {
    ledger = context.ledger();
    clock = context.clock();
    spendingReader = new SpendingReader(context);
    this.taskQueries = taskQueries;
  }

  /** A sentence says why where nothing is known to estimate by. */
  public JobEstimate read(Cluster cluster, Job job) {
    var isEnded = job.state() instanceof JobState.Ended;
    if (!isEnded && job.tasks().open().isPresent())
      return JobEstimate.unknown("tasks may be added to it");
    var totals = ledger.totals(job.key());
    var took = took(cluster, job, totals.done());
    var estimate =
        switch (job.state()) {
          case JobState.Waiting _, JobState.Expanding _ ->
              byEarlier(
                  cluster,
                  job,
                  Math.max(totals.open(), job.tasks().count()),
                  "its tasks do not run yet");
          case JobState.Running _ -> ofRunning(cluster, job, totals, took);
          case JobState.Stopping _, JobState.Finishing _, JobState.Ended _ ->
              JobEstimate.unknown("its tasks do not run");
        };
    var limited =
        job.state() instanceof JobState.Running
            ? estimate.within(
                StoppingLimits.of(job, totals, spent(job), clock.instant()), clock.instant())
            : estimate;
    return took.map(limited::having).orElse(limited);
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
      Cluster cluster, Job job, TaskTotals totals, Optional<DurationSample> took) {
    var now = clock.instant();
    var machines = new JobMachines(job, workers(job));
    var running = running(job, machines);
    if (took.isEmpty())
      return byEarlier(
          cluster,
          job,
          totals.open(),
          running.isEmpty() ? "none of its tasks runs now" : "none of its tasks has ended yet");
    if (running.isEmpty()) return JobEstimate.unknown("none of its tasks runs now");
    var ended = took.get().seconds();
    var rest =
        new RestOfJob(
            ended,
            totals.done() + totals.failed(),
            running.stream().map(task -> task.at(now)).toList(),
            running.size(),
            machines.coming(machines.together(running.size()), now),
            Math.max(0, totals.open() - running.size()),
            losses(job, machines, running.size(), totals.done()));
    var spread = rest.spread(new SplittableRandom(job.uid().hashCode() + totals.done()));
    var usd = usdPerSecond(running);
    return JobEstimate.of(
        new JobEstimate.Rest(
            after(now, spread.least()),
            after(now, spread.most()),
            usd.map(price -> price * spread.leastOfTasks()),
            usd.map(price -> price * spread.mostOfTasks())),
        "if %s at once as now, each as the %s"
            .formatted(
                running.size() == 1
                    ? "one task runs"
                    : HumanAmounts.count(running.size(), "task") + " run",
                ended.size() == 1 ? "one that ended" : "%,d that ended".formatted(totals.done())),
        now);
  }

  /** By what the newest ended job of the name did, if it did anything. */
  private JobEstimate byEarlier(Cluster cluster, Job job, long open, String why) {
    var unknown = JobEstimate.unknown(why);
    if (open == 0) return unknown;
    for (var earlier :
        ledger.query(new LedgerQuery.Jobs(job.cluster(), MOST_JOBS)).readableOnly()) {
      var before = earlier.value();
      if (before.uid().equals(job.uid())
          || !before.spec().address().equals(job.spec().address())
          || !(before.state() instanceof JobState.Ended)) continue;
      var took = took(cluster, before, ledger.totals(before.key()).done());
      if (took.isPresent())
        return unknown.with(
            JobForecast.of(
                job.spec(),
                open,
                cluster.spec(),
                took.get(),
                took.get().basis(job.spec().name(), before.submittedAt())));
    }
    return unknown;
  }

  private Optional<DurationSample> took(Cluster cluster, Job job, long done) {
    var seconds = ended(cluster, job, done);
    return seconds.isEmpty() ? Optional.empty() : Optional.of(new DurationSample(seconds, done));
  }

  private static Instant after(Instant now, double seconds) {
    return now.plusMillis(Math.round(seconds * MILLIS));
  }

  /**
   * A task that runs.
   *
   * @param heard when it was surely not over
   * @param usdPerHour of its part of its machines; empty if a price is not known
   */
  private record Running(Optional<Instant> since, Instant heard, Optional<Double> usdPerHour) {
    RestOfJob.Running at(Instant now) {
      return new RestOfJob.Running(
          since.map(at -> Math.max(0, seconds(at, heard))).orElse(0.0),
          Math.max(0, seconds(heard, now)));
    }

    /** One gang runs one task on several machines. */
    Running with(Running other) {
      return new Running(
          since, heard, usdPerHour.flatMap(one -> other.usdPerHour.map(another -> one + another)));
    }
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / MILLIS;
  }

  private List<Running> running(Job job, JobMachines machines) {
    var alone = new ArrayList<Running>();
    var gangs = new HashMap<Long, Running>();
    var heard = heard(job);
    var now = clock.instant();
    for (var worker : machines.all()) {
      var own = new ArrayList<Running>();
      for (var held : worker.held()) {
        if (!held.job().equals(job.uid())) continue;
        var price = usdPerHour(worker, held).map(usd -> usd / held.atOnce());
        var at = heard.getOrDefault(held.start(), now);
        if (held.gang())
          gangs.merge(held.start(), new Running(began(held, 0), at, price), Running::with);
        else
          for (var i = 0; i < held.atOnce(); i++) own.add(new Running(began(held, i), at, price));
      }
      // Ranges that are nearly done are still held while the next one runs.
      var room = worker.total().slots(job.spec().resources());
      alone.addAll(own.subList(0, (int) Math.min(own.size(), Math.max(1, room))));
    }
    alone.addAll(gangs.values());
    return alone;
  }

  /**
   * When the tasks of each range were last surely not over, by its start. What is done of a range
   * is written after a while, so that the newest ends are not known.
   */
  private Map<Long, Instant> heard(Job job) {
    var all = new HashMap<Long, Instant>();
    var leased = new LedgerQuery.LeasedShards(job.cluster(), job.uid(), MOST_SHARDS);
    for (var stored : ledger.query(leased).readableOnly()) {
      var shard = stored.value();
      var now = clock.instant();
      var unheard = unheard(shard);
      var sure = now.minus(unheard);
      all.put(
          shard.start(),
          sure.isAfter(shard.checkpointAt()) || unheard.isZero() ? sure : shard.checkpointAt());
    }
    return all;
  }

  /** For how long an end of a task may be unwritten; the last one of a range is written at once. */
  private static Duration unheard(Shard shard) {
    var tasks = shard.end() - shard.start();
    if (tasks <= 1) return Duration.ZERO;
    return Timings.DEFAULT.checkpointShare() * tasks > 1
        ? Timings.DEFAULT.checkpointAfter()
        : Timings.checkpointPause(Duration.between(shard.leasedAt(), shard.checkpointAt()));
  }

  /** What the lease's part of the machine costs; empty if the machine's price is not known. */
  private static Optional<Double> usdPerHour(Worker worker, Worker.Held lease) {
    var sum = worker.held().stream().mapToDouble(it -> it.part(worker.total()).share()).sum();
    return worker
        .usage()
        .flatMap(MachineUsage::usdPerHour)
        .map(price -> price * lease.part(worker.total()).share() / Math.max(1, sum));
  }

  private static Optional<Instant> began(Worker.Held held, int place) {
    return place < held.startedAt().size()
        ? Optional.of(held.startedAt().get(place))
        : Optional.empty();
  }

  private static Optional<Double> usdPerSecond(List<Running> running) {
    if (running.stream().anyMatch(task -> task.usdPerHour().isEmpty())) return Optional.empty();
    return Optional.of(
        running.stream()
                .mapToDouble(task -> task.usdPerHour().orElseThrow())
                .average()
                .orElseThrow()
            / SECONDS_PER_HOUR);
  }

  /** What tasks took that this job has done, from several places of it. */
  private List<Double> ended(Cluster cluster, Job job, long done) {
    var took = new HashMap<Long, Double>();
    if (done == 0) return List.of();
    for (var i = 0; i < PAGES; i++) {
      var from = job.tasks().count() * i / PAGES;
      var request = new TaskRequest(Optional.of(TaskStatus.State.DONE), from, PAGE);
      for (var task : taskQueries.page(cluster, job, request).tasks())
        took(task).ifPresent(seconds -> took.put(task.index(), seconds));
    }
    return List.copyOf(took.values());
  }

  private static Optional<Double> took(TaskStatus task) {
    if (task.doneBefore()) return Optional.empty();
    return task.startedAt().flatMap(from -> task.endedAt().map(to -> seconds(from, to)));
  }

  /** Attempts that ended by no fault of theirs, as some of its ranges count them. */
  private RestOfJob.Losses losses(Job job, JobMachines machines, int running, long done) {
    var shards =
        ledger
            .query(new LedgerQuery.Shards(job.cluster(), job.uid(), 0, MOST_SHARDS))
            .readableOnly()
            .stream()
            .map(VersionedDocument::value)
            .toList();
    var lost = shards.stream().mapToLong(shard -> repeated(shard.attempts())).sum();
    var ended = shards.stream().mapToLong(shard -> shard.done().count()).sum();
    if (lost == 0 && !machines.areSpot()) return RestOfJob.Losses.NONE;
    return new RestOfJob.Losses(
        ended == 0 ? lost : (double) lost * Math.max(done, ended) / ended,
        machines.together(running),
        machines.replacing());
  }

  private List<Worker> workers(Job job) {
    return ledger
        .query(new LedgerQuery.Workers(job.cluster(), false, MOST_WORKERS))
        .readableOnly()
        .stream()
        .map(VersionedDocument::value)
        .toList();
  }

  private static long repeated(Map<FailureCause, Long> attempts) {
    return attempts.entrySet().stream()
        .filter(entry ->
            switch (entry.getKey().budget()) {
              case INFRASTRUCTURE, PLATFORM -> true;
              case FAILURES, NONE -> false;
            })
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
