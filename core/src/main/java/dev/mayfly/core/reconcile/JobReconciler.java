package dev.mayfly.core.reconcile;

import dev.mayfly.core.jobs.WaitingJobs;
import dev.mayfly.core.lifecycle.StartDecision;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.plan.capacity.HeldRuns;
import dev.mayfly.core.plan.lease.FairShare;
import dev.mayfly.core.plan.lease.FairShareSelector;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.share.OwnerUseCount;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.RebuildableDocument;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.CrashLoopWarnings;
import dev.mayfly.core.state.job.JobCompletion;
import dev.mayfly.core.state.job.JobDemands;
import dev.mayfly.core.state.job.JobStop;
import dev.mayfly.core.state.job.OpenJobTimer;
import dev.mayfly.core.state.job.QueueTimeout;
import dev.mayfly.core.state.job.TriggerRepeats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Advances jobs whose messages were lost, keeps the job queue up to date, and adds up what jobs
 * still demand.
 */
final class JobReconciler {
  private final Context context;
  private final JobDemands jobDemands;
  private final JobCompletion jobCompletion;
  private final JobStop jobStop;
  private final WaitingJobs waitingJobs;
  private final PredecessorWatch predecessorWatch;
  private final QueueTimeout queueTimeout;
  private final OpenJobTimer openJobTimer;
  private final CrashLoopWarnings crashLoopWarnings;
  private final TriggerRepeats triggerRepeats;

  JobReconciler(Context context) {
    this.context = context;
    jobDemands = new JobDemands(context.ledger(), context.clock());
    jobCompletion = new JobCompletion(context);
    jobStop = new JobStop(context);
    waitingJobs = new WaitingJobs(context);
    queueTimeout = new QueueTimeout(context, jobStop);
    openJobTimer = new OpenJobTimer(context);
    crashLoopWarnings = new CrashLoopWarnings(context);
    triggerRepeats = new TriggerRepeats(context);
    predecessorWatch = new PredecessorWatch(context.ledger(), context.clock());
  }

  /**
   * What a reconcile knows of jobs.
   *
   * @param cluster whose jobs these are
   * @param live number of jobs that have not ended or are unreadable
   * @param stored the queue as read before the jobs
   * @param running the queue as it is to be stored
   * @param demands of running jobs, in queue order
   * @param read when all workers were read, if in this reconcile
   */
  record Jobs(
      ClusterSpec cluster,
      int live,
      RebuildableDocument<JobQueue> stored,
      JobQueue running,
      List<JobDemand> demands,
      Optional<Instant> read) {
    /** Those of all jobs but these, which were stopped since. */
    List<JobDemand> demandsBut(Set<String> stopped) {
      return demands.stream().filter(demand -> !stopped.contains(demand.job())).toList();
    }
  }

  /**
   * @param tick whether to repeat expansion and finalization triggers that may have been lost
   */
  Jobs reconcile(Cluster cluster, ClusterCache cache, boolean tick, FailureLog failureLog) {
    var jobs = cache.jobs();
    for (var job : jobs)
      failureLog.guard("job " + job.spec().name(), () -> advance(cluster, job, tick));
    if (tick) failureLog.guard("triggers", () -> triggerRepeats.send(jobs, failureLog));
    failureLog.guard("waiting jobs", () -> startWaiting(jobs, tick, failureLog));
    var running =
        JobQueue.of(cluster.uid(), context.clock().instant(), rows(jobs))
            .withWaiting(waiting(jobs));
    var kept = cache.queue().value().map(JobQueue::rows).orElse(List.of());
    var demands = demands(running, kept, jobs, cache, failureLog);
    return new Jobs(cluster.spec(), cache.live(), cache.queue(), running, demands, cache.wholeAt());
  }

  private void advance(Cluster cluster, Job job, boolean tick) {
    var takenDown = cluster.phase() != Cluster.Phase.UP;
    switch (job.state()) {
      case JobState.Waiting _, JobState.Expanding _ -> {
        if (takenDown) stop(job);
      }
      case JobState.Running running -> {
        if (takenDown) stop(job);
        else if (tick) queueTimeout.stopIfOverdue(job, running);
      }
      case JobState.Stopping _ -> jobCompletion.completeIfDone(job.key());
      case JobState.Finishing _, JobState.Ended _ -> {}
    }
  }

  private void startWaiting(List<Job> jobs, boolean tick, FailureLog failureLog) {
    var due = predecessorWatch.due(jobs, tick, failureLog);
    if (predecessorWatch.isNews(due))
      TriggerSender.send(context.bus(), new Trigger.StartWaiting(due.getFirst().job().cluster()));
    if (!tick) return;
    PredecessorWatch.cycles(jobs)
        .forEach((names, cycle) -> {
          var reason = "these jobs wait for one another: " + names;
          var end = new StartDecision.End(JobState.Result.FAILED, reason, Optional.empty());
          cycle.forEach(job ->
              failureLog.guard("job " + job.spec().name(), () -> waitingJobs.end(job.key(), end)));
        });
  }

  private void stop(Job job) {
    jobStop.stop(job.key(), context.clock().instant(), "the cluster is taken down");
  }

  private static List<String> waiting(List<Job> jobs) {
    return jobs.stream().filter(j -> j.state() instanceof JobState.Waiting).map(Job::uid).toList();
  }

  private static List<JobQueue.Row> rows(List<Job> jobs) {
    return jobs.stream().filter(Job::running).map(JobQueue::row).toList();
  }

  /**
   * Stores the queue with each job's running tasks and kept workers. A reconcile that read only
   * some workers keeps the previous counts.
   */
  void storeQueue(Jobs seen, List<Worker> workers, List<Plan.Keep> keeps) {
    var byJob = new HashMap<String, Plan.Keep>();
    keeps.forEach(k -> byJob.put(k.job(), k));
    var before = seen.stored().value();
    var counted = seen.running().rows();
    if (seen.read().isPresent()) counted = FairShare.withCounts(counted, workers);
    else if (before.isPresent())
      counted = FairShare.withPreviousCounts(counted, before.get().rows());
    var rows =
        counted.stream().map(r -> keeping(r, Optional.ofNullable(byJob.get(r.job())))).toList();
    var jobQueue =
        JobQueue.of(seen.running().cluster(), seen.running().at(), rows)
            .withWaiting(seen.running().waiting());
    storeQueue(
        seen.stored(),
        jobQueue
            .withCounted(seen.read().or(() -> before.flatMap(JobQueue::counted)))
            .withUses(uses(seen, workers)));
  }

  /** What owners ran lately; a reconcile that read only some workers keeps the previous count. */
  private static Optional<List<JobQueue.OwnerUse>> uses(Jobs seen, List<Worker> workers) {
    var before = seen.stored().value().flatMap(JobQueue::uses);
    return seen.read().isEmpty()
        ? before
        : OwnerUseCount.after(
            seen.cluster(),
            before,
            seen.running().rows(),
            HeldRuns.byJob(workers),
            seen.read().get());
  }

  private static JobQueue.Row keeping(JobQueue.Row row, Optional<Plan.Keep> keep) {
    return row.withKept(
        keep.map(Plan.Keep::workers).orElse(List.of()), keep.flatMap(Plan.Keep::until));
  }

  private void storeQueue(RebuildableDocument<JobQueue> stored, JobQueue running) {
    var before = stored.value().map(JobQueue::rows).orElse(List.of());
    // Each instance knows only a part of what changed since the count, so it is counted each
    // minute.
    var recount =
        FairShareSelector.byPriority(running.rows()).stream()
                .anyMatch(FairShareSelector::hasSeveralOwners)
            && !stored.value().flatMap(JobQueue::counted).equals(running.counted());
    var waiting = stored.value().map(JobQueue::waiting).orElse(List.of());
    var uses = stored.value().flatMap(JobQueue::uses);
    var same =
        before.equals(running.rows())
            && waiting.equals(running.waiting())
            && uses.equals(running.uses());
    if (!stored.broken() && !recount && same) return;
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(stored.replaceWith(running));
    // Workers no longer kept may be granted at once, and newly kept ones may not.
    if (!kept(before).equals(kept(running.rows())))
      ledgerWrites.add(new LedgerWrite.Signal(running.cluster(), running.at(), true, List.of()));
    context.ledger().commit(ledgerWrites);
  }

  private static Map<String, List<String>> kept(List<JobQueue.Row> rows) {
    var kept = new HashMap<String, List<String>>();
    for (var row : rows) if (!row.kept().isEmpty()) kept.put(row.job(), row.kept());
    return kept;
  }

  private List<JobDemand> demands(
      JobQueue jobQueue,
      List<JobQueue.Row> stored,
      List<Job> jobs,
      ClusterCache cache,
      FailureLog failureLog) {
    var kept = kept(stored);
    Map<String, Job> byUid = new HashMap<>();
    for (var job : jobs) byUid.put(job.uid(), job);
    var all = new ArrayList<JobDemand>();
    for (var row : jobQueue.rows()) {
      var job = Optional.ofNullable(byUid.get(row.job()));
      failureLog.guard(
          "job " + row.name(),
          () ->
              job.flatMap(j -> demand(j, cache, kept.getOrDefault(j.uid(), List.of())))
                  .ifPresent(all::add));
    }
    return all;
  }

  private Optional<JobDemand> demand(Job job, ClusterCache cache, List<String> kept) {
    var taskTotals = cache.totals(job);
    openJobTimer.closeIfOverdue(job, taskTotals.open() == 0);
    if (taskTotals.open() == 0 && (taskTotals.tasks() > 0 || job.tasks().open().isPresent())) {
      jobCompletion.completeIfDone(job.key());
      return Optional.empty();
    }
    var demand = jobDemands.of(job, taskTotals, kept);
    demand.waiting().crashLoop().ifPresent(loop -> crashLoopWarnings.tell(job, loop));
    return Optional.of(demand);
  }
}
