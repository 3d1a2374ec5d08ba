package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.plan.lease.ShardSize;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobQueueWriter;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns a large job into task lists and shards, one slice at a time: each slice commits a cursor,
 * and a trigger continues with the next. Repeating a slice writes the same.
 */
public final class JobExpansion {
  private static final int BATCH = 200;

  /** Parallel batches: all that a job has, if nothing must be looked up for its shards. */
  private static final int BATCHES = 5;

  private static final int SLICES = 5;

  private final Context context;
  private final TaskLister lister;
  private final OutputLookup outputLookup;
  private final JobQueueWriter jobQueueWriter;
  private final WaitingJobs waitingJobs;
  private final PredecessorOutputs predecessorOutputs;
  private final SupersededSentinels supersededSentinels;

  public JobExpansion(
      Context context,
      TaskLister lister,
      OutputLookup outputLookup,
      JobQueueWriter jobQueueWriter) {
    this.context = context;
    this.lister = lister;
    this.outputLookup = outputLookup;
    this.jobQueueWriter = jobQueueWriter;
    waitingJobs = new WaitingJobs(context);
    predecessorOutputs = new PredecessorOutputs(context, outputLookup);
    supersededSentinels = new SupersededSentinels(context, outputLookup);
  }

  /**
   * Continues a job that is expanding, unless another call works on it. A job that waits for others
   * is begun if they have ended.
   */
  public void resume(DocumentKey.OfJob key) {
    var cluster = context.ledger().read(new DocumentKey.OfCluster(key.cluster()));
    if (cluster.isEmpty()) return;
    var work = ResumableWork.of(context.ledger(), context.clock(), key);
    if (work.stored().filter(j -> j.value().state() instanceof JobState.Waiting).isPresent()) {
      waitingJobs.advance(key);
      work = ResumableWork.of(context.ledger(), context.clock(), key);
    }
    expand(work, cluster.get().value());
  }

  private void expand(ResumableWork work, Cluster cluster) {
    work.run(() -> resume(work, cluster));
  }

  private void resume(ResumableWork work, Cluster cluster) {
    for (var slice = 1; slice <= SLICES; slice++) {
      var stored = work.stored();
      if (stored.isEmpty()) return;
      if (!(stored.get().value().state() instanceof JobState.Expanding state)) return;
      try {
        if (isCut(stored.get().value(), state)) {
          finish(stored.get());
          return;
        }
        step(work, stored.get().value(), state, cluster.spec(), slice == SLICES);
      } catch (InvalidInputException refused) {
        fail(stored.get(), refused.getMessage());
        return;
      }
    }
    work.stored().ifPresent(s -> TriggerSender.send(context.bus(), expand(s.value())));
  }

  private static Trigger expand(Job job) {
    return new Trigger.Expand(job.cluster(), job.uid());
  }

  private static boolean isCut(Job job, JobState.Expanding state) {
    return state.cut() >= 0 && state.cut() >= job.tasks().count();
  }

  /**
   * The result of one step.
   *
   * @param more writes to commit with the job
   */
  private record Step(Job next, List<LedgerWrite> more) {}

  /**
   * @param last whether this call's work ends here and another call continues
   */
  private void step(
      ResumableWork work, Job job, JobState.Expanding state, ClusterSpec cluster, boolean last) {
    var step = state.cut() < 0 ? list(job, state, cluster) : cut(job, state, cluster);
    var next = step.next;
    var until = last ? Optional.<Instant>empty() : Optional.of(work.until());
    var now = (JobState.Expanding) next.state();
    var marked = new JobState.Expanding(now.after(), now.counted(), now.cut(), until);
    work.step(was -> was.withTasks(next.tasks()).with(marked), step.more);
  }

  private Step list(Job job, JobState.Expanding state, ClusterSpec cluster) {
    var listed = listed(job, state, cluster);
    TaskListCheck.check(job.spec(), listed.counted(), listed.complete(), cluster);
    var taskBatch = stored(job, cluster, listed);
    if (taskBatch.complete() && taskBatch.counted() == 0)
      throw new InvalidInputException("tasks", TaskLister.nothing(job.spec(), taskBatch));
    var next =
        new JobState.Expanding(
            taskBatch.after(), taskBatch.counted(), taskBatch.complete() ? 0 : -1);
    var sized = job.with(next).withTasks(job.tasks().leaving(taskBatch.unusable().leftOut()));
    if (taskBatch.complete())
      sized =
          sized.withTasks(
              new JobTasks(
                      taskBatch.counted(),
                      Optional.empty(),
                      ShardSize.of(taskBatch.counted(), job.spec(), cluster))
                  .leaving(sized.tasks().leftOut()));
    return new Step(sized, warning(sized, taskBatch));
  }

  private TaskLister.TaskBatch listed(Job job, JobState.Expanding state, ClusterSpec cluster) {
    return job.spec().tasks() instanceof TaskSource.InputsOf of
        ? predecessorOutputs.next(job, of, cluster, state.after(), state.counted())
        : lister.next(job.spec(), state.after(), state.counted());
  }

  private TaskLister.TaskBatch stored(Job job, ClusterSpec cluster, TaskLister.TaskBatch listed) {
    var stored = lister.store(BucketLayout.of(cluster.bucket()), job.uid(), listed);
    return job.spec().tasks() instanceof TaskSource.InputsOf
        ? PredecessorOutputs.continued(listed, stored)
        : stored;
  }

  /** Once per job: the first slice that leaves inputs out warns of it. */
  private List<LedgerWrite> warning(Job job, TaskLister.TaskBatch taskBatch) {
    var warning = taskBatch.unusable().warning(taskBatch.complete());
    var known = new DocumentKey.OfEventRecord(job.cluster(), UnusableInputs.id(job));
    if (warning.isEmpty() || context.ledger().read(known).isPresent()) return List.of();
    return List.of(
        new LedgerWrite.Put(
            UnusableInputs.event(job, context.clock().instant(), warning.orElseThrow())));
  }

  private void checkOutputs(Job job, ClusterSpec cluster) {
    if (TaskListCheck.hasDistinctOutputs(job.spec())) return;
    var seen = new OutputUrls(job.spec(), cluster, job.uid());
    var bucketLayout = BucketLayout.of(cluster.bucket());
    for (var from = 0L; from < job.tasks().count(); from += TaskLister.SLICE)
      seen.add(
          lister.read(
              job, bucketLayout, from, Math.min(job.tasks().count(), from + TaskLister.SLICE)));
  }

  private Step cut(Job job, JobState.Expanding state, ClusterSpec cluster) {
    // Checked before there is a shard; the list is stored by now, so that a refused job tells of
    // every task.
    if (state.cut() == 0) checkOutputs(job, cluster);
    var shards = hasOwnOutputs(job) ? BATCHES * BATCH : BATCH;
    var to = Math.min(job.tasks().count(), state.cut() + shards * job.tasks().shardSize());
    var creates = shards(job, cluster, state.cut(), to, Optional.empty());
    var batches = new ArrayList<Runnable>();
    for (var from = 0; from < creates.size(); from += BATCH) {
      var batch = creates.subList(from, Math.min(creates.size(), from + BATCH));
      batches.add(() -> create(batch));
    }
    context.alarms().runAll(batches);
    var next = job.with(new JobState.Expanding(state.after(), state.counted(), to));
    return new Step(next.withTasks(next.tasks().plusBefore(doneIn(creates))), List.of());
  }

  static long doneIn(List<Shard> shards) {
    return shards.stream().mapToLong(shard -> shard.done().count()).sum();
  }

  /** Shards that exist were created by an earlier try of this slice. */
  private void create(List<Shard> shards) {
    var creates = shards.stream().<LedgerWrite>map(LedgerWrite.Create::new).toList();
    if (!context.ledger().commit(creates).done())
      for (var create : creates) context.ledger().commit(List.of(create));
  }

  /** Whether its outputs are its own, so that none can exist before it runs. */
  private static boolean hasOwnOutputs(Job job) {
    return job.spec().data().output().isEmpty();
  }

  /** Throws {@link InvalidInputException} if it reads outputs of a job that leaves none. */
  void checkPredecessor(JobSpec spec, Cluster cluster, Instant submittedAt) {
    predecessorOutputs.check(spec, cluster, submittedAt);
  }

  /**
   * The shards of [from, to), with the tasks that are done already. Sentinels that the job does not
   * accept are set aside, so that its tasks can make their own.
   *
   * @param items of that range, if they are at hand
   */
  List<Shard> shards(
      Job job, ClusterSpec cluster, long from, long to, Optional<List<TaskItem>> items) {
    var bucketLayout = BucketLayout.of(cluster.bucket());
    var shards = new ArrayList<Shard>();
    var ownOutputs = hasOwnOutputs(job);
    var size = job.tasks().shardSize();
    for (var at = from; at < to; ) {
      var end = Math.min(to, at + Math.max(size, TaskLister.SLICE / size * size));
      var start = at;
      var done = TaskSet.none(start);
      if (!ownOutputs) {
        var some =
            items
                .map(i -> i.subList((int) (start - from), (int) (end - from)))
                .orElseGet(() -> lister.read(job, bucketLayout, start, end));
        // No task is leased before its output is checked here, however long the list is.
        OutputUrls.checkPlaces(job.spec(), cluster, job.uid(), some);
        var existing = outputLookup.sentinels(job.spec(), cluster.bucket(), job.uid(), some);
        supersededSentinels.setAside(bucketLayout, job.uid(), existing.refused());
        done = existing.done();
      }
      for (; at < end; at += size) {
        var stop = Math.min(end, at + size);
        var key = new DocumentKey.OfShard(job.cluster(), job.uid(), at);
        shards.add(
            job.tasks().open().isPresent() && items.isPresent()
                ? Shard.of(key, items.get().get((int) (at - from)), done.within(at, stop))
                : Shard.of(key, stop, done.within(at, stop)));
      }
      at = end;
    }
    return shards;
  }

  private void finish(VersionedDocument<Job> storedJob) {
    var job = storedJob.value();
    if (!hasOwnOutputs(job)
        && context
            .ledger()
            .query(new LedgerQuery.OpenShards(job.cluster(), job.uid(), 1))
            .isEmpty()) {
      // Every task has its sentinel: the job needs no queue row and no machine.
      var finishing = job.with(new JobState.Finishing(context.clock().instant(), false));
      done(
          job,
          context
              .ledger()
              .commit(
                  List.of(
                      new LedgerWrite.Update(finishing, storedJob.version()), listedEvent(job))));
      TriggerSender.send(context.bus(), new Trigger.Finalize(job.cluster(), job.uid()));
      return;
    }
    var running = job.with(new JobState.Running(context.clock().instant()));
    done(
        job,
        jobQueueWriter.enqueue(
            running,
            List.of(new LedgerWrite.Update(running, storedJob.version()), listedEvent(job))));
    TriggerSender.send(context.bus(), Trigger.Reconcile.job(job.key()));
  }

  private LedgerWrite listedEvent(Job job) {
    return new LedgerWrite.Put(jobQueueWriter.event(job, "listed", summary(job.tasks())));
  }

  /** How many there are, and how many of them need not run. */
  static String summary(JobTasks tasks) {
    var all = HumanAmounts.count(tasks.count(), "task");
    return tasks
        .before()
        .map(done -> "%s, %,d done before, %,d to run".formatted(all, done, tasks.count() - done))
        .orElse(all);
  }

  private static void done(Job job, CommitResult commitResult) {
    if (!commitResult.done())
      throw new UnavailableException("job " + job.spec().name() + " was changed concurrently");
  }

  /** Another writer's change of the job is left to the next call. */
  private void fail(VersionedDocument<Job> storedJob, String reason) {
    var job = storedJob.value();
    var end =
        JobState.Finishing.unstarted(context.clock().instant(), JobState.Result.FAILED, reason);
    var next = new LedgerWrite.Update(job.keepingListed().with(end), storedJob.version());
    if (context.ledger().commit(List.of(next)).done())
      TriggerSender.send(context.bus(), new Trigger.Finalize(job.cluster(), job.uid()));
  }
}
