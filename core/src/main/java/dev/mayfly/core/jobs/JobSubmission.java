package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.jobs.gather.GatherEvent;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.OpenTasks;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.plan.lease.ShardSize;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.LateWork;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.EarlyStops;
import dev.mayfly.core.state.job.JobQueueWriter;
import dev.mayfly.core.state.job.SubmissionIdCheck;
import dev.mayfly.core.text.TaskTemplate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Accepts a job: checks it, gives it its name, and stores it, together with its shards if it is
 * small.
 */
public final class JobSubmission {
  private static final int BATCH_SHARDS = 390;

  private final Context context;
  private final JobAdmission jobAdmission;
  private final TaskLister lister;
  private final JobExpansion jobExpansion;
  private final JobQueueWriter jobQueueWriter;
  private final WaitingJobs waitingJobs;
  private final EarlyStops earlyStops;

  public JobSubmission(
      Context context,
      JobAdmission jobAdmission,
      TaskLister lister,
      JobExpansion jobExpansion,
      JobQueueWriter jobQueueWriter) {
    this.context = context;
    this.jobAdmission = jobAdmission;
    this.lister = lister;
    this.jobExpansion = jobExpansion;
    this.jobQueueWriter = jobQueueWriter;
    waitingJobs = new WaitingJobs(context);
    earlyStops = new EarlyStops(context.ledger());
  }

  /**
   * Accepts the job. A repeat of the submission changes nothing. Throws {@link
   * InvalidInputException} for what the user must fix; then nothing is stored.
   */
  public void submit(JobSpec requested, String uid, Instant publishedAt) {
    var _ = submit(requested, uid, publishedAt, List.of());
  }

  /**
   * The same, with more writes in the commit that stores the job. False if this call stored none: a
   * live job has the name and the content, or it is a repeat.
   */
  public boolean submit(
      JobSpec requested, String uid, Instant publishedAt, List<LedgerWrite> with) {
    var spec = TaskTemplate.fillSubmission(requested, publishedAt);
    var hash = context.codec().hash(requested.content());
    var found = ClusterLookup.find(context.ledger(), spec.cluster());
    var before = found.flatMap(c -> context.ledger().read(new DocumentKey.OfJob(c.uid(), uid)));
    if (before.isPresent()) {
      SubmissionIdCheck.check(before.get().value(), hash);
      // A crash may have come between its store and what follows.
      if (!before.get().value().state().ended())
        LateWork.end(context.ledger(), before.get().value().cluster());
      return false;
    }
    var cluster = ClusterLookup.requireUp(context.ledger(), spec.cluster(), found);
    ClusterLookup.checkMeant(cluster, publishedAt);
    var admitted = jobAdmission.admit(spec, cluster.spec(), uid);
    PredecessorOutputs.check(context, spec, cluster, context.clock().instant());
    var first = admitted.first();
    var key = new DocumentKey.OfJobName(cluster.uid(), spec.owner(), spec.name());
    var stored = new boolean[1];
    Transactions.retry(
        "the name " + spec.address(),
        () -> {
          var name = context.ledger().read(key);
          if (name.isPresent()
              && SubmissionIdCheck.repeats(context.ledger(), name.get().value(), uid, hash))
            return true;
          if (name.isPresent() && taken(name.get().value(), spec, hash))
            return recordRepeat(name.get(), uid);
          var mine = context.ledger().read(new DocumentKey.OfJob(cluster.uid(), uid));
          if (mine.isPresent()) {
            SubmissionIdCheck.check(mine.get().value(), hash);
            return true;
          }
          var slice = isOpen(spec) ? first : kept(cluster, uid, first);
          if (!store(cluster, admitted.spec(), hash, uid, publishedAt, slice, name, with).done())
            return false;
          stored[0] = true;
          after(cluster, uid);
          return true;
        });
    return stored[0];
  }

  private static boolean isOpen(JobSpec spec) {
    return spec.tasks() instanceof TaskSource.Open;
  }

  /**
   * The first slice as stored, if it must be: an earlier try of this message may have stored
   * another.
   */
  private TaskLister.TaskBatch kept(Cluster cluster, String uid, TaskLister.TaskBatch first) {
    if (!first.complete() || first.items().isEmpty()) return first;
    var bucketLayout = BucketLayout.of(cluster.spec().bucket());
    lister.storeGathered(bucketLayout, uid, first);
    return TaskLister.fitsInline(first.items()) ? first : lister.store(bucketLayout, uid, first);
  }

  /**
   * Records that this message is a repeat, so that it creates no job even after the existing one
   * ended.
   */
  private boolean recordRepeat(VersionedDocument<JobName> name, String uid) {
    var next = name.value().withRepeat(uid);
    return context.ledger().commit(List.of(new LedgerWrite.Update(next, name.version()))).done();
  }

  /** Whether a live job with this content has the name; throws if its content differs. */
  private boolean taken(JobName name, JobSpec spec, String hash) {
    if (!name.live()) return false;
    if (name.hash().equals(hash)) return true;
    throw JobAdmission.nameTaken(spec);
  }

  private CommitResult store(
      Cluster cluster,
      JobSpec spec,
      String hash,
      String uid,
      Instant publishedAt,
      TaskLister.TaskBatch first,
      Optional<VersionedDocument<JobName>> name,
      List<LedgerWrite> with) {
    var now = context.clock().instant();
    var job =
        new Job(
            cluster.uid(),
            uid,
            spec,
            Job.hash(uid, hash),
            WaitingJobs.initialState(spec, now),
            JobTasks.UNLISTED,
            publishedAt,
            now,
            Optional.empty(),
            Optional.empty());
    var stopped = earlyStops.stop(job.nameKey(), name, publishedAt);
    var ledgerWrites = new ArrayList<LedgerWrite>(with);
    ledgerWrites.add(name(job, hash, !stopped, name));
    if (stopped) {
      var end =
          JobState.Finishing.unstarted(now, JobState.Result.STOPPED, "stopped before it arrived");
      ledgerWrites.addFirst(new LedgerWrite.Create(job.with(end)));
      return context.ledger().commit(ledgerWrites);
    }
    if (job.state() instanceof JobState.Waiting) return storeWaiting(job, ledgerWrites);
    var whole = whole(job, cluster, first);
    if (whole.isEmpty()) {
      jobQueueWriter.checkRoom(job);
      ledgerWrites.addFirst(new LedgerWrite.Create(job));
      ledgerWrites.add(
          new LedgerWrite.Put(jobQueueWriter.event(job, "accepted", "its tasks are being listed")));
      return context.ledger().commit(ledgerWrites);
    }
    return storeWhole(cluster, first, whole.get(), ledgerWrites);
  }

  private CommitResult storeWaiting(Job job, List<LedgerWrite> ledgerWrites) {
    var resolved = waitingJobs.resolved(job);
    ledgerWrites.addFirst(new LedgerWrite.Create(resolved));
    ledgerWrites.add(
        new LedgerWrite.Put(jobQueueWriter.event(job, "accepted", "it waits for other jobs")));
    return jobQueueWriter.enqueueWaiting(resolved, ledgerWrites);
  }

  private CommitResult storeWhole(
      Cluster cluster, TaskLister.TaskBatch first, Job listed, List<LedgerWrite> ledgerWrites) {
    // A refused job changes nothing: whatever may refuse it comes before its outputs are looked at.
    jobQueueWriter.checkRoom(listed);
    var items = items(listed, first);
    var shards = jobExpansion.shards(listed, cluster.spec(), 0, listed.tasks().count(), items);
    var sized = listed.withTasks(listed.tasks().plusBefore(JobExpansion.doneIn(shards)));
    var all =
        sized.tasks().open().isEmpty()
            && shards.stream().allMatch(s -> s.state() == Shard.State.ENDED);
    var now = context.clock().instant();
    var stored = sized.with(all ? new JobState.Finishing(now, false) : new JobState.Running(now));
    ledgerWrites.addFirst(new LedgerWrite.Create(stored));
    shards.forEach(s -> ledgerWrites.add(new LedgerWrite.Create(s)));
    ledgerWrites.add(
        new LedgerWrite.Put(
            jobQueueWriter.event(stored, "accepted", JobExpansion.summary(sized.tasks()))));
    first
        .unusable()
        .warning(true)
        .ifPresent(
            w -> ledgerWrites.add(new LedgerWrite.Put(UnusableInputs.event(stored, now, w))));
    ledgerWrites.addAll(GatherEvent.of(stored, now, first.gathered()));
    return all
        ? context.ledger().commit(ledgerWrites)
        : jobQueueWriter.enqueue(stored, ledgerWrites);
  }

  private static Optional<List<TaskItem>> items(Job job, TaskLister.TaskBatch first) {
    return job.spec().tasks() instanceof TaskSource.Count
        ? Optional.empty()
        : Optional.of(first.items());
  }

  /**
   * The job with its size, if it is small enough to be stored at once. Sentinels that it does not
   * accept are set aside only when it is stored.
   */
  private static Optional<Job> whole(Job job, Cluster cluster, TaskLister.TaskBatch first) {
    if (!first.complete()) return Optional.empty();
    if (job.spec().tasks() instanceof TaskSource.Open open)
      return Optional.of(
          job.withTasks(
              JobTasks.open(
                  first.counted(), OpenTasks.until(job.acceptedAt().plus(open.openFor())))));
    if (SupersededSentinels.mayExist(job)) return Optional.empty();
    var size = ShardSize.of(first.counted(), job.spec(), cluster.spec());
    if ((first.counted() + size - 1) / size > BATCH_SHARDS) return Optional.empty();
    if (first.counted() > TaskLister.BATCH_TASKS) return Optional.empty();
    var inline = !first.items().isEmpty() && TaskLister.fitsInline(first.items());
    var items = inline ? Optional.of(first.items()) : Optional.<List<TaskItem>>empty();
    return Optional.of(
        job.withTasks(
            new JobTasks(first.counted(), items, size).leaving(first.unusable().leftOut())));
  }

  private static LedgerWrite name(
      Job job, String hash, boolean live, Optional<VersionedDocument<JobName>> before) {
    var name =
        before
            .map(VersionedDocument::value)
            .orElseGet(() -> JobName.unused(job.nameKey()))
            .of(job.uid(), hash, live);
    return before.isPresent()
        ? new LedgerWrite.Update(name, before.get().version())
        : new LedgerWrite.Create(name);
  }

  private void after(Cluster cluster, String uid) {
    LateWork.end(context.ledger(), cluster.uid());
    var job =
        context
            .ledger()
            .read(new DocumentKey.OfJob(cluster.uid(), uid))
            .map(VersionedDocument::value);
    if (job.isEmpty()) return;
    switch (job.get().state()) {
      case JobState.Waiting _ -> waitingJobs.startIfDue(job.get());
      case JobState.Expanding _ ->
          TriggerSender.send(context.bus(), new Trigger.Expand(cluster.uid(), uid));
      case JobState.Running _, JobState.Stopping _ ->
          TriggerSender.send(context.bus(), Trigger.Reconcile.job(job.get().key()));
      case JobState.Finishing _ ->
          TriggerSender.send(context.bus(), new Trigger.Finalize(cluster.uid(), uid));
      case JobState.Ended _ -> {}
    }
  }
}
