package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.LateWork;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobLookup;
import dev.mayfly.core.state.job.JobQueueWriter;
import dev.mayfly.core.state.job.LiveJobRetry;
import dev.mayfly.core.state.job.ShardReader;
import dev.mayfly.core.state.job.limit.RaisedLimits;
import dev.mayfly.core.state.job.limit.SpendingCheck;
import dev.mayfly.core.text.TaskTemplate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Reruns an ended job's tasks that failed for good, did not run, or are inconsistent. Done tasks
 * stay done. The sentinel of an inconsistent task is deleted, but only that generation.
 */
public final class JobRetry {
  private final Context context;
  private final TaskLister lister;
  private final OutputLookup outputLookup;
  private final JobQueueWriter jobQueueWriter;
  private final SupersededSentinels supersededSentinels;
  private final WaitingJobs waitingJobs;
  private final SpendingCheck spendingCheck;
  private final RaisedLimits raisedLimits;
  private final LiveJobRetry liveJobRetry;

  public JobRetry(
      Context context,
      TaskLister lister,
      OutputLookup outputLookup,
      JobQueueWriter jobQueueWriter) {
    this.context = context;
    this.lister = lister;
    this.outputLookup = outputLookup;
    this.jobQueueWriter = jobQueueWriter;
    supersededSentinels = new SupersededSentinels(context, outputLookup);
    waitingJobs = new WaitingJobs(context);
    spendingCheck = new SpendingCheck(context);
    raisedLimits = new RaisedLimits(spendingCheck);
    liveJobRetry = new LiveJobRetry(context.ledger());
  }

  /**
   * Throws {@link InvalidInputException} for a job that has nothing to rerun or is still ending. A
   * done task runs again if its sentinel or its output is not there any more. A running job is
   * unchanged but for its limits, and a message older than the newest stop or retry changes
   * nothing.
   *
   * @param command with what the job may cost, and how long it may take, from now on; as before if
   *     empty
   */
  public void retry(Cluster cluster, UserCommand.RetryJob command, Instant publishedAt) {
    var name = command.job();
    var found = new JobLookup(context.ledger()).job(cluster.uid(), name);
    var named = found.name();
    var job = found.job().value();
    var newest = named.value().lastCommandAt();
    // A job that was submitted later is not the one meant.
    if (CommandOrder.of(newest, publishedAt) != CommandOrder.NEW
        || job.submittedAt().isAfter(publishedAt)) return;
    switch (job.state()) {
      case JobState.Waiting _, JobState.Expanding _, JobState.Running _ ->
          liveJobRetry.record(
              found, it -> command.isPlain() ? it : raised(it, cluster, command), publishedAt);
      case JobState.Stopping _, JobState.Finishing _ ->
          throw new InvalidInputException(
              "job",
              "job %s is still ending; retry it when it has ended (mayfly jobs)".formatted(name));
      case JobState.Ended end -> {
        var live = named.value().withRetry(publishedAt, true);
        rerun(
            cluster,
            new VersionedDocument<>(raised(job, cluster, command), found.job().version()),
            new LedgerWrite.Update(live, named.version()),
            shardsSince(found.job()),
            shard -> reopened(job, cluster, shard),
            publishedAt,
            "unfinished tasks run again");
      }
    }
  }

  private Job raised(Job job, Cluster cluster, UserCommand.RetryJob command) {
    return raisedLimits.of(job, cluster, command, context.clock().instant());
  }

  /**
   * Runs some tasks of an ended job again. Throws {@link InvalidInputException} if all of them are
   * done.
   */
  void retryTasks(
      Cluster cluster,
      VersionedDocument<JobName> named,
      VersionedDocument<Job> storedJob,
      JobState.Ended end,
      TaskRanges tasks,
      Instant publishedAt) {
    var job = storedJob.value();
    var shards = shardsSince(storedJob);
    if (job.tasks().count() == 0
        || shards.stream().mapToLong(s -> s.value().size()).sum() != job.tasks().count())
      throw new InvalidInputException(
          "job",
          "job %1$s ended before its tasks were listed; retry the whole job (mayfly retry %1$s)"
              .formatted(job.spec().name()));
    // A try that ended in between has changed shards, but not the job.
    var resumed = !end.since().isAfter(publishedAt);
    var chosen = new HashMap<Long, Chosen>();
    var open = false;
    for (var stored : shards) {
      var shard = stored.value();
      var meant =
          TaskSet.where(
              shard.start(),
              shard.end(),
              i ->
                  tasks.has(i)
                      && (shard.isNewCommand(i, publishedAt)
                          || (resumed && shard.isNewestCommand(i, publishedAt))));
      var undone = meant.isEmpty() ? meant : inconsistent(job, cluster, shard, meant);
      chosen.put(shard.start(), new Chosen(meant, undone));
      open |= !undone.isEmpty() || !meant.without(shard.done()).isEmpty();
    }
    if (chosen.values().stream().allMatch(c -> c.tasks().isEmpty())) return;
    if (!open)
      throw new InvalidInputException(
          "tasks",
          "tasks %1$s of job %2$s are done, and done tasks do not run again; to run them again in a new job: mayfly submit FILE --again %1$s"
              .formatted(tasks, job.spec().name()));
    // A stop of before, delivered again, would stop the job again.
    var live = named.value().of(job.uid(), named.value().hash(), true).withRetry(publishedAt, true);
    rerun(
        cluster,
        new VersionedDocument<>(
            spendingCheck.affordable(job, Optional.empty()), storedJob.version()),
        new LedgerWrite.Update(live, named.version()),
        shards,
        shard -> {
          var here = Objects.requireNonNull(chosen.get(shard.start()));
          var now = context.clock().instant();
          return ShardTransitions.reopenOnly(shard, here.tasks(), here.undone(), publishedAt, now);
        },
        publishedAt,
        "tasks " + tasks + " run again");
  }

  /**
   * The job's shards, read while it had ended. Another copy of the message may have rerun the job
   * since it was read, and machines may hold its shards by now: they are not this copy's to reopen.
   * The job is asked last, so that each later change of a shard fails this copy's write.
   */
  private List<VersionedDocument<Shard>> shardsSince(VersionedDocument<Job> ended) {
    var job = ended.value();
    var shards = new ShardReader(context.ledger()).all(job);
    var now = context.ledger().read(job.key()).map(VersionedDocument::version);
    if (!now.equals(Optional.of(ended.version())))
      throw new UnavailableException(
          "job " + job.spec().name() + " is being changed; the message is delivered again");
    return shards;
  }

  /**
   * The tasks of a shard that run again.
   *
   * @param undone those that are done by the ledger but not in fact
   */
  private record Chosen(TaskSet tasks, TaskSet undone) {}

  private void rerun(
      Cluster cluster,
      VersionedDocument<Job> storedJob,
      LedgerWrite live,
      List<VersionedDocument<Shard>> shards,
      UnaryOperator<Shard> reopen,
      Instant publishedAt,
      String why) {
    var job = storedJob.value();
    var name = job.spec().name();
    var state = state(job, shards);
    var next = countingAnew(relisted(job, state).with(state).withRetry(publishedAt));
    // A refused retry changes nothing: whatever may refuse it comes before the first commit.
    jobQueueWriter.checkRoom(next);
    if (state instanceof JobState.Waiting) waitingJobs.checkMayStart(next);
    var outcome = outcome(job, BucketLayout.of(cluster.spec().bucket()));
    var reopened = shards.stream().map(VersionedDocument::value).map(reopen).toList();
    checkNotDone(job, reopened);
    for (var i = 0; i < shards.size(); i++) commit(reopened.get(i), shards.get(i));
    if (SupersededSentinels.mayExist(job)) for (var shard : reopened) setAside(job, cluster, shard);
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(next, storedJob.version()));
    ledgerWrites.add(live);
    ledgerWrites.add(new LedgerWrite.Put(jobQueueWriter.event(job, "retried", why)));
    var commitResult =
        switch (next.state()) {
          case JobState.Running _ -> jobQueueWriter.enqueue(next, ledgerWrites);
          case JobState.Waiting _ -> jobQueueWriter.enqueueWaiting(next, ledgerWrites);
          default -> context.ledger().commit(ledgerWrites);
        };
    if (!commitResult.done())
      throw new UnavailableException(
          "job " + name + " is being changed; the message is delivered again");
    LateWork.end(context.ledger(), cluster.uid());
    TriggerSender.send(
        context.bus(),
        next.running() ? Trigger.Reconcile.job(next.key()) : WaitingJobs.trigger(next));
    // Only these generations: the job may have ended anew by now.
    outcome.forEach(piece -> context.objects().delete(piece.url(), piece.generation()));
  }

  /**
   * A job that was stopped while its tasks were listed or cut into shards continues with that; one
   * whose tasks were not listed waits for its predecessors again.
   */
  private JobState state(Job job, List<VersionedDocument<Shard>> shards) {
    var cut = shards.stream().mapToLong(s -> s.value().size()).sum();
    var tasks = job.tasks().count();
    var known = tasks > 0 || job.tasks().open().isPresent();
    if (known && cut == tasks) return new JobState.Running(context.clock().instant());
    return tasks == 0
        ? WaitingJobs.initialState(job.spec(), context.clock().instant())
        : new JobState.Expanding("", tasks, 0).released(context.clock().instant());
  }

  /** Its time is that of its next run: the time in which it had ended is nobody's. */
  private static Job countingAnew(Job job) {
    return job.runTime().map(run -> job.withRunTime(run.again())).orElse(job);
  }

  /** A list that was not completed is begun again, and so is the count of what was done before. */
  private static Job relisted(Job job, JobState next) {
    if (job.tasks().listed().isPresent()) return job.withTasks(JobTasks.UNLISTED);
    return next instanceof JobState.Expanding ? job.withTasks(job.tasks().uncut()) : job;
  }

  /** A job that succeeded has something to run again only if users deleted sentinels or outputs. */
  private static void checkNotDone(Job job, List<Shard> reopened) {
    if (job.state().end().filter(e -> e.result() == JobState.Result.SUCCEEDED).isEmpty()) return;
    if (reopened.stream().anyMatch(shard -> shard.open() > 0)) return;
    throw new InvalidInputException(
        "job",
        "job %s has nothing to run again: %s, and every sentinel is there; to run all of it again in a new job: mayfly submit FILE --again"
            .formatted(job.spec().name(), job.state().end().orElseThrow().reason()));
  }

  /** The end of the job has given sentinels back that it does not accept. */
  private void setAside(Job job, Cluster cluster, Shard shard) {
    if (shard.open() == 0) return;
    var bucket = cluster.spec().bucket();
    var bucketLayout = BucketLayout.of(bucket);
    for (var from = shard.start(); from < shard.end(); from += JobFinalization.PIECE) {
      var to = Math.min(shard.end(), from + JobFinalization.PIECE);
      var items = lister.read(job, bucketLayout, from, to, List.of(shard));
      var refused = outputLookup.sentinels(job.spec(), bucket, job.uid(), items).refused();
      supersededSentinels.setAside(
          bucketLayout,
          job.uid(),
          refused.stream().filter(r -> !shard.done().has(r.index())).toList());
    }
  }

  private Shard reopened(Job job, Cluster cluster, Shard shard) {
    var all = TaskSet.where(shard.start(), shard.end(), _ -> true);
    var undone = inconsistent(job, cluster, shard, all);
    return ShardTransitions.reopen(shard, undone, context.clock().instant());
  }

  private void commit(Shard next, VersionedDocument<Shard> storedShard) {
    if (!context
        .ledger()
        .commit(List.of(new LedgerWrite.Update(next, storedShard.version())))
        .done())
      throw new UnavailableException("the job is being changed; the message is delivered again");
  }

  /** The tasks that are done by ledger or sentinel but not in fact; deletes their sentinels. */
  private TaskSet inconsistent(Job job, Cluster cluster, Shard shard, TaskSet among) {
    var bucket = cluster.spec().bucket();
    var undone = TaskSet.none(shard.start());
    for (var from = shard.start(); from < shard.end(); from += JobFinalization.PIECE) {
      var to = Math.min(shard.end(), from + JobFinalization.PIECE);
      var items = lister.read(job, BucketLayout.of(bucket), from, to, List.of(shard));
      var found = OutputCheck.found(outputLookup, job, bucket, items);
      var known = new OutputCheck.Known(List.of(shard), from, to);
      var sentinels = new HashMap<Long, ObjectInfo>();
      for (var item : items) {
        if (!among.has(item.index())) continue;
        var output = TaskTemplate.outputUrl(job.spec(), bucket, job.uid(), item);
        if (OutputCheck.outcome(job, item, output, found, known).result()
            != TaskOutcome.Result.INCONSISTENT) continue;
        Optional.ofNullable(found.get(output + Sentinel.SUFFIX))
            .ifPresent(s -> sentinels.put(item.index(), s));
        undone = undone.with(item.index());
      }
      outputLookup.deleteSentinels(bucket, job.uid(), sentinels);
    }
    return undone;
  }

  /** The objects of the job's outcome. */
  private List<ObjectInfo> outcome(Job job, BucketLayout bucketLayout) {
    // A job without tasks has one object too.
    var tasks = Math.max(1, job.knownTasks());
    var found = new ArrayList<ObjectInfo>();
    for (var piece = 0; (long) piece * JobFinalization.PIECE < tasks; piece++)
      context.objects().find(bucketLayout.outcome(job.uid(), piece)).ifPresent(found::add);
    return found;
  }
}
