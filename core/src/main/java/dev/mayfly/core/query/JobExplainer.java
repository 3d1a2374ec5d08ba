package dev.mayfly.core.query;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.lifecycle.FinalFailures;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.FullStorage;
import dev.mayfly.core.plan.remedy.FailureRemedy;
import dev.mayfly.core.plan.remedy.WaitingRemedy;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.plan.veto.ZoneVeto;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.core.query.task.EndingTasks;
import dev.mayfly.core.query.task.JobEvents;
import dev.mayfly.core.query.task.QueuedTasks;
import dev.mayfly.core.query.task.RetriedTasks;
import dev.mayfly.core.query.task.RunningReasons;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Explains a job's state from what is stored. */
final class JobExplainer {
  private static final int HOLDERS = 8;
  private static final int SHARDS = 100;

  /** So long after a job was accepted it is told what kept machines from it, though it runs. */
  private static final Duration WAITED_WITHIN = Duration.ofHours(2);

  private final Ledger ledger;
  private final InstantSource clock;
  private final Timings timings;

  JobExplainer(Ledger ledger, InstantSource clock, Timings timings) {
    this.ledger = ledger;
    this.clock = clock;
    this.timings = timings;
  }

  JobExplanation explain(Cluster cluster, Job job) {
    var reasons = new ArrayList<JobExplanation.Reason>();
    var unread = new ArrayList<JobExplanation.Reason>();
    var shards = FinalFailures.told(shards(job, unread), job);
    var taskTotals =
        job.state()
            .end()
            .map(JobState.Ended::totals)
            .orElseGet(() -> totals(job, shards, unread.isEmpty()));
    // What it has on machines explains no wait, and stands last.
    var holders = new ArrayList<JobExplanation.Reason>();
    var queue = List.<String>of();
    var root = Optional.<Veto>empty();
    if (job.state() instanceof JobState.Waiting) reasons.addAll(predecessors(cluster).of(job));
    if (job.state() instanceof JobState.Running) {
      var waits = new WaitingReader(ledger, clock.instant(), timings, cluster);
      if (taskTotals.ready() > 0) {
        waits.unreadable().forEach(unknown -> reasons.add(unreadable(unknown)));
        reasons.addAll(waits.of(job));
        root = waits.root(job);
        queue = waits.ahead(job);
        reasons.addAll(about(cluster, job, waits.workers()));
      } else if (QueuedTasks.of(job, taskTotals, waits::workers).any())
        reasons.addAll(waits.noMachine(job));
      open(job).ifPresent(reasons::add);
      reasons.addAll(full(cluster, job, waits));
      var stopped = stopped(job, taskTotals, waits);
      stopped.forEach(veto -> reasons.add(words(veto)));
      root = root.or(() -> stopped.stream().findFirst());
      if (taskTotals.leased() > 0) running(job, taskTotals, shards, waits, holders);
    }
    reasons.addAll(unread);
    LifeReasons.of(cluster, job, shards).ifPresent(reasons::addFirst);
    // The plan has told of the loop of a job that waits.
    var told = reasons.stream().map(JobExplanation.Reason::kind).toList();
    for (var reason : AttemptReasons.of(job, shards, clock.instant()))
      if (!told.contains(reason.kind())) reasons.add(reason);
    reasons.addAll(holders);
    for (var text : new IdleMachineReader(ledger, clock.instant()).heldFor(job))
      reasons.add(new JobExplanation.Reason("kept", text));
    var summary = summary(job, taskTotals);
    var remedy = remedy(cluster, job, root, reasons, shards, summary);
    return new JobExplanation(
            job.spec().name(), summary, reasons, queue, events(cluster, job, taskTotals, root))
        .with(remedy);
  }

  private PredecessorReasons predecessors(Cluster cluster) {
    return new PredecessorReasons(ledger, before -> waits(cluster, before));
  }

  /** Why a job that may run has no task on a machine. */
  private Optional<String> waits(Cluster cluster, Job job) {
    if (!(job.state() instanceof JobState.Running)) return Optional.empty();
    var totals = ledger.totals(job.key());
    if (totals.leased() > 0 || totals.ready() == 0) return Optional.empty();
    return new WaitingReader(ledger, clock.instant(), timings, cluster)
        .of(job).stream().findFirst().map(JobExplanation.Reason::text);
  }

  /** What helps where the first reason does not say it. */
  private Optional<String> remedy(
      Cluster cluster,
      Job job,
      Optional<Veto> root,
      List<JobExplanation.Reason> reasons,
      List<Shard> shards,
      String summary) {
    return switch (job.state()) {
      case JobState.Waiting _ -> Optional.of(predecessors(cluster).remedy(job));
      case JobState.Running _ -> {
        var first = reasons.stream().map(JobExplanation.Reason::kind).findFirst().orElse("");
        // Their sentences say it.
        if (first.equals("life") || first.equals(VetoText.CRASH_LOOP)) yield Optional.empty();
        if (root.isEmpty()) yield FailureRemedy.ofRunning(job, shards);
        var isUnbooted = reasons.stream().anyMatch(reason -> reason.kind().equals("no-boot"));
        yield isUnbooted ? WaitingRemedy.afterUnbooted(root.get()) : WaitingRemedy.of(root.get());
      }
      case JobState.Expanding _, JobState.Stopping _, JobState.Finishing _ ->
          Optional.of("nothing, it goes on by itself");
      case JobState.Ended end -> FailureRemedy.ofEnded(cluster, job, end, shards, summary);
    };
  }

  private JobExplanation.Reason words(Veto veto) {
    var text = VetoText.of(veto, clock.instant());
    return new JobExplanation.Reason(text.kind(), text.text());
  }

  /** Where it may run, and what its tasks ask for besides. */
  private List<JobExplanation.Reason> about(Cluster cluster, Job job, List<Worker> workers) {
    var reasons = new ArrayList<JobExplanation.Reason>();
    var placement = job.spec().place();
    PlacementReasons.explain(placement, cluster.spec()).ifPresent(reasons::add);
    PlacementReasons.labels(placement, workers).ifPresent(reasons::add);
    for (var text : PlacementReasons.rollouts(cluster, workers, clock.instant()))
      reasons.add(new JobExplanation.Reason("rollout", text));
    reasons.addAll(new OnDemandReasons(ledger, clock.instant()).of(cluster, job, workers));
    return reasons;
  }

  /** File systems of workers that may run it and are nearly full: its tasks may fail for that. */
  private static List<JobExplanation.Reason> full(Cluster cluster, Job job, WaitingReader waits) {
    if (cluster.spec().mounts().isEmpty() && cluster.spec().storages().isEmpty()) return List.of();
    var workers = waits.workers().stream().filter(w -> w.mayRun(job.spec().place())).toList();
    return FullStorage.of(workers).stream()
        .map(use -> new JobExplanation.Reason("storage", FullStorage.text(use)))
        .toList();
  }

  private static Optional<JobExplanation.Reason> open(Job job) {
    return JobStatusBuilder.openUntil(job)
        .map(until ->
            new JobExplanation.Reason(
                "open",
                "tasks may be added until %s; mayfly close %s ends it when they have ended"
                    .formatted(until, job.spec().name())));
  }

  private List<Shard> shards(Job job, List<JobExplanation.Reason> reasons) {
    return readable(
        ledger.query(new LedgerQuery.Shards(job.cluster(), job.uid(), 0, SHARDS)), reasons);
  }

  private TaskTotals totals(Job job, List<Shard> shards, boolean readable) {
    var counted = TaskTotals.NONE;
    for (var shard : shards) counted = shard.addedTo(counted);
    return readable && shards.size() < SHARDS ? counted : ledger.totals(job.key());
  }

  private static JobExplanation.Reason unreadable(UnreadableDocument unknown) {
    return new JobExplanation.Reason(WorkerStatusBuilder.UNREADABLE, unknown.toString());
  }

  /** The readable documents; unreadable ones become reasons. */
  private static <D extends LedgerDocument> List<D> readable(
      QueryResult<D> found, List<JobExplanation.Reason> reasons) {
    return found.readable(unknown -> reasons.add(unreadable(unknown))).stream()
        .map(VersionedDocument::value)
        .toList();
  }

  /**
   * With orders that failed: all of them where the cloud is why it waits. Of a job that runs now
   * they are why it waited, and are read as long as they may be among the newest events.
   */
  private List<EventRecord> events(
      Cluster cluster, Job job, TaskTotals taskTotals, Optional<Veto> root) {
    var refused = root.filter(ZoneVeto.class::isInstance).isPresent();
    var recent = job.acceptedAt().plus(WAITED_WITHIN).isAfter(clock.instant());
    var orders =
        refused
            ? JobEvents.Orders.OF_ITS_POOLS
            : recent || taskTotals.ready() > 0 || job.state().ended()
                ? JobEvents.Orders.ITS_OWN
                : JobEvents.Orders.NONE;
    return new JobEvents(ledger).of(cluster, job, JobExplanation.MOST_EVENTS, orders);
  }

  private String summary(Job job, TaskTotals taskTotals) {
    var now = clock.instant();
    var counts =
        "%,d of %s done, %,d on machines, %,d waiting, %,d failed for good%s"
            .formatted(
                taskTotals.done(),
                HumanAmounts.count(job.tasks().count(), "task"),
                taskTotals.leased(),
                taskTotals.ready(),
                taskTotals.failed(),
                stopped(job, taskTotals));
    return switch (job.state()) {
      case JobState.Waiting w ->
          "it has not started: it waits for other jobs, for "
              + HumanDuration.between(w.since(), now);
      case JobState.Expanding e ->
          "its tasks are being listed: %,d so far, for %s"
              .formatted(e.counted(), HumanDuration.between(job.acceptedAt(), now));
      case JobState.Running r -> counts + ", accepted " + HumanDuration.ago(job.acceptedAt(), now);
      case JobState.Stopping s ->
          "stopping for " + HumanDuration.between(s.since(), now) + " (" + s.by() + "): " + counts;
      case JobState.Finishing f -> "every task ended; outputs are compared with their sentinels";
      case JobState.Ended e ->
          JobStatusBuilder.word(e)
              + " "
              + HumanDuration.ago(e.since(), now)
              + lasted(job, e)
              + ": "
              + e.reason();
    };
  }

  /** Those that users stopped one by one, which no other number has. */
  private static String stopped(Job job, TaskTotals taskTotals) {
    return taskTotals
        .ofTasks(job.tasks().count())
        .stopped()
        .map(", %,d stopped"::formatted)
        .orElse("");
  }

  /** How long it took since it might run, and since it was accepted where that is longer. */
  private static String lasted(Job job, JobState.Ended end) {
    var own = HumanDuration.result(Duration.between(job.mayRunSince(), end.since()));
    var all = HumanDuration.result(Duration.between(job.acceptedAt(), end.since()));
    if (end.result() != JobState.Result.SUCCEEDED
        && JobStatus.nothingBegan(end.totals(), end.attempts()))
      return ", %s after it was accepted, and never began".formatted(all);
    return " after "
        + (own.equals(all) ? own : "%s (%s since it was accepted)".formatted(own, all));
  }

  private List<Veto> stopped(Job job, TaskTotals totals, WaitingReader waits) {
    var workers = totals.leased() > 0 ? waits.workers() : List.<Worker>of();
    return new RunningReasons(ledger, timings, clock.instant()).vetoes(job, totals, workers);
  }

  private void running(
      Job job,
      TaskTotals taskTotals,
      List<Shard> shards,
      WaitingReader waits,
      List<JobExplanation.Reason> reasons) {
    var lost =
        waits.workers().stream()
            .filter(worker -> worker.state() instanceof WorkerState.Lost)
            .map(Worker::name)
            .toList();
    var leased =
        shards.size() < SHARDS
            ? shards.stream().filter(shard -> shard.state() == Shard.State.LEASED).toList()
            : ledger
                .query(new LedgerQuery.LeasedShards(job.cluster(), job.uid(), SHARDS))
                .readableOnly()
                .stream()
                .map(VersionedDocument::value)
                .toList();
    var holders =
        leased.stream()
            .collect(
                Collectors.groupingBy(
                    s -> s.owner().map(Shard.Owner::worker).orElse("?"),
                    LinkedHashMap::new,
                    Collectors.summingLong(Shard::open)));
    var text =
        holders.entrySet().stream()
                .limit(HOLDERS)
                .map(e ->
                    e.getKey()
                        + " ("
                        + e.getValue()
                        + (lost.contains(e.getKey()) ? ", lost)" : ")"))
                .collect(Collectors.joining(", "))
            + (holders.size() > HOLDERS ? " and %d more".formatted(holders.size() - HOLDERS) : "");
    reasons.add(
        new JobExplanation.Reason(
            "running",
            HumanAmounts.count(taskTotals.leased(), "task")
                + (taskTotals.leased() == 1 ? " is on " : " are on ")
                + text
                + QueuedTasks.of(job, taskTotals, waits::workers).words()));
    RetriedTasks.of(leased, waits.workers())
        .ifPresent(why -> reasons.add(new JobExplanation.Reason("retried", why)));
    for (var why : EndingTasks.of(job.uid(), waits.workers(), clock.instant()))
      reasons.add(new JobExplanation.Reason("outranked", why));
    reasons.addAll(GangReasons.running(leased));
    reasons.addAll(LimitReasons.of(waits.workers(), job.uid()));
  }
}
