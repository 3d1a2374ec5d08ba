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
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobQueueWriter;
import dev.mayfly.core.text.HumanAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Turns a large job into task lists and shards, one batch at a time: each batch commits a cursor,
 * and a trigger continues with the next. Repeating a batch writes the same.
 */
public final class JobExpansion {
  private static final int BATCH = 200;

  /** Parallel batches: all that a job has, if nothing must be looked up for its shards. */
  private static final int BATCHES = 5;

  private static final int BATCHES_PER_CALL = 5;

  /** The most shards of a job that is complete with its first step. */
  private static final int BEGUN = 100;

  private final Context context;
  private final TaskLister lister;
  private final OutputLookup outputLookup;
  private final JobQueueWriter jobQueueWriter;
  private final JobListing jobListing;
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
    jobListing = new JobListing(context, lister, outputLookup);
    supersededSentinels = new SupersededSentinels(context, outputLookup);
  }

  /** Continues a job that is expanding, unless another call works on it. */
  public void resume(DocumentKey.OfJob key) {
    var cluster = context.ledger().read(new DocumentKey.OfCluster(key.cluster()));
    if (cluster.isEmpty()) return;
    var work = ResumableWork.of(context.ledger(), context.clock(), key, JobState.Expanding.class);
    work.run(() -> resume(work, cluster.get().value()));
  }

  private void resume(ResumableWork work, Cluster cluster) {
    for (var batch = 1; batch <= BATCHES_PER_CALL; batch++) {
      var stored = work.stored();
      if (stored.isEmpty()) return;
      if (!(stored.get().value().state() instanceof JobState.Expanding state)) return;
      try {
        if (isCut(stored.get().value(), state)) {
          finish(stored.get());
          return;
        }
        step(work, stored.get().value(), state, cluster.spec(), batch == BATCHES_PER_CALL);
      } catch (InvalidInputException refused) {
        // The claim may have been renewed in the step.
        work.stored().ifPresent(now -> fail(now, refused.getMessage()));
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
   * @param last whether this call's work ends here and another call continues
   */
  private void step(
      ResumableWork work, Job job, JobState.Expanding state, ClusterSpec cluster, boolean last) {
    var step =
        state.cut() < 0
            ? jobListing.next(job, state, cluster)
            : new JobListing.Step(cut(work, job, state, cluster), List.of());
    UnaryOperator<Job> change = was -> was.withTasks(step.next().tasks()).with(step.next().state());
    if (last) work.lastStep(change, step.more());
    else work.step(change, step.more());
  }

  /**
   * The first step of a job that has just started. A small one is complete with it: it runs, or has
   * nothing left to run. One that is refused ends.
   */
  JobListing.Step begin(Job job, Cluster cluster) {
    try {
      var step = jobListing.next(job, (JobState.Expanding) job.state(), cluster.spec());
      var listed = step.next();
      if (!(listed.state() instanceof JobState.Expanding state) || state.cut() < 0) return step;
      if (listed.tasks().count() > TaskLister.BATCH_TASKS || shardsOf(listed) > BEGUN) return step;
      jobListing.checkOutputs(listed, cluster.spec(), () -> {});
      var shards = shards(listed, cluster.spec(), 0, listed.tasks().count(), Optional.empty());
      var more = new ArrayList<>(step.more());
      shards.forEach(shard -> more.add(new LedgerWrite.Create(shard)));
      var next = listed.withTasks(listed.tasks().plusBefore(doneIn(shards)));
      more.add(listedEvent(next));
      return new JobListing.Step(next.with(begun(next, shards)), more);
    } catch (InvalidInputException refused) {
      return new JobListing.Step(failed(job, refused.getMessage()), List.of());
    }
  }

  private static long shardsOf(Job job) {
    return (job.tasks().count() + job.tasks().shardSize() - 1) / job.tasks().shardSize();
  }

  private JobState begun(Job job, List<Shard> shards) {
    var now = context.clock().instant();
    var done = !hasOwnOutputs(job) && shards.stream().allMatch(s -> s.state() == Shard.State.ENDED);
    return done ? new JobState.Finishing(now, false) : new JobState.Running(now);
  }

  private Job cut(ResumableWork work, Job job, JobState.Expanding state, ClusterSpec cluster) {
    // Checked before there is a shard; the list is stored by now, so that a refused job tells of
    // every task.
    if (state.cut() == 0) jobListing.checkOutputs(job, cluster, work::renew);
    var shards = hasOwnOutputs(job) ? BATCHES * BATCH : BATCH;
    var to = Math.min(job.tasks().count(), state.cut() + shards * job.tasks().shardSize());
    var creates = new ArrayList<Shard>();
    for (var from = state.cut(); from < to; ) {
      var end = Math.min(to, from + part(job));
      creates.addAll(shards(job, cluster, from, end, Optional.empty()));
      work.renew();
      from = end;
    }
    create(creates);
    var next = job.with(new JobState.Expanding(state.after(), state.counted(), to));
    return next.withTasks(next.tasks().plusBefore(doneIn(creates)));
  }

  private void create(List<Shard> creates) {
    var batches = new ArrayList<Runnable>();
    for (var from = 0; from < creates.size(); from += BATCH) {
      var batch = creates.subList(from, Math.min(creates.size(), from + BATCH));
      batches.add(() -> createBatch(batch));
    }
    context.executor().runAll(batches);
  }

  /** How many tasks are looked up at once: whole shards. */
  private static long part(Job job) {
    long size = job.tasks().shardSize();
    return Math.max(size, TaskLister.BATCH_TASKS / size * size);
  }

  static long doneIn(List<Shard> shards) {
    return shards.stream().mapToLong(shard -> shard.done().count()).sum();
  }

  /** Shards that exist were created by an earlier try of this batch. */
  private void createBatch(List<Shard> shards) {
    var creates = shards.stream().<LedgerWrite>map(LedgerWrite.Create::new).toList();
    if (!context.ledger().commit(creates).done())
      for (var create : creates) context.ledger().commit(List.of(create));
  }

  /** Whether its outputs are its own, so that none can exist before it runs. */
  private static boolean hasOwnOutputs(Job job) {
    return job.spec().data().output().isEmpty();
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
      var end = Math.min(to, at + part(job));
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
    var next = new LedgerWrite.Update(failed(job, reason), storedJob.version());
    if (context.ledger().commit(List.of(next)).done())
      TriggerSender.send(context.bus(), new Trigger.Finalize(job.cluster(), job.uid()));
  }

  private Job failed(Job job, String reason) {
    var now = context.clock().instant();
    return job.keepingListed()
        .with(JobState.Finishing.unstarted(now, JobState.Result.FAILED, reason));
  }
}
