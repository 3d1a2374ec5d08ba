package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobQueueWriter;
import dev.mayfly.core.text.TaskTemplate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reruns an ended job's tasks that failed for good, did not run, or are inconsistent. Done tasks
 * stay done. The sentinel of an inconsistent task is deleted, but only that generation.
 */
public final class JobRetry {
  private final Context context;
  private final TaskLister lister;
  private final OutputLookup outputLookup;
  private final JobQueueWriter jobQueueWriter;

  public JobRetry(
      Context context,
      TaskLister lister,
      OutputLookup outputLookup,
      JobQueueWriter jobQueueWriter) {
    this.context = context;
    this.lister = lister;
    this.outputLookup = outputLookup;
    this.jobQueueWriter = jobQueueWriter;
  }

  /**
   * Throws {@link InvalidInputException} for a job that has nothing to rerun or is still ending. A
   * running job is unchanged, and a message older than the newest stop or retry changes nothing.
   */
  public void retry(Cluster cluster, String name, Instant publishedAt) {
    var named = context.ledger().read(new DocumentKey.OfJobName(cluster.uid(), name));
    var versionedDocument =
        named
            .flatMap(n -> n.value().job())
            .flatMap(uid -> context.ledger().read(new DocumentKey.OfJob(cluster.uid(), uid)));
    if (versionedDocument.isEmpty())
      throw new UnknownNameException("job", "there is no job " + name);
    var job = versionedDocument.get().value();
    var newest = named.get().value().lastCommandAt();
    // A job that was submitted later is not the one meant.
    if (CommandOrder.of(newest, publishedAt) != CommandOrder.NEW
        || job.submittedAt().isAfter(publishedAt)) return;
    switch (job.state()) {
      case JobState.Expanding _, JobState.Running _ -> recordNoop(named.get(), publishedAt);
      case JobState.Stopping _, JobState.Finishing _ ->
          throw new InvalidInputException(
              "job",
              "job %s is still ending; retry it when it has ended (mayfly jobs)".formatted(name));
      case JobState.Ended end -> {
        if (end.result() == JobState.Result.SUCCEEDED)
          throw new InvalidInputException(
              "job", "job " + name + " has nothing to run again: " + end.reason());
        rerun(cluster, named.get(), versionedDocument.get(), publishedAt);
      }
    }
  }

  /** Records that there was nothing to do, so that a repeat of the message does nothing either. */
  private void recordNoop(VersionedDocument<JobName> named, Instant at) {
    var next = named.value().withRetry(at, named.value().live());
    if (!context.ledger().commit(List.of(new LedgerWrite.Update(next, named.version()))).done())
      throw new UnavailableException(
          "the name " + next.name() + " is being changed; the message is delivered again");
  }

  private void rerun(
      Cluster cluster,
      VersionedDocument<JobName> named,
      VersionedDocument<Job> versionedDocument,
      Instant publishedAt) {
    var job = versionedDocument.value();
    var name = job.spec().name();
    var shards = JobFinalization.shards(context.ledger(), job);
    for (var shard : shards) rerun(job, cluster, shard);
    forgetOutcome(job, BucketLayout.of(cluster.spec().bucket()));
    var next = job.reopened(state(job, shards));
    var live = named.value().withRetry(publishedAt, true);
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(next, versionedDocument.version()));
    ledgerWrites.add(new LedgerWrite.Update(live, named.version()));
    ledgerWrites.add(
        new LedgerWrite.Put(jobQueueWriter.event(job, "retried", "unfinished tasks run again")));
    var commitResult =
        next.running()
            ? jobQueueWriter.enqueue(next, ledgerWrites)
            : context.ledger().commit(ledgerWrites);
    if (!commitResult.done())
      throw new UnavailableException(
          "job " + name + " is being changed; the message is delivered again");
    TriggerSender.send(
        context.bus(),
        next.running()
            ? Trigger.Reconcile.job(next.key())
            : new Trigger.Expand(cluster.uid(), job.uid()));
  }

  /** A job that was stopped while its tasks were listed or cut into shards continues with that. */
  private JobState state(Job job, List<VersionedDocument<Shard>> shards) {
    var cut = shards.stream().mapToLong(s -> s.value().size()).sum();
    if (job.tasks() > 0 && cut == job.tasks())
      return new JobState.Running(context.clock().instant());
    return job.tasks() == 0
        ? new JobState.Expanding("", 0, -1)
        : new JobState.Expanding("", job.tasks(), 0);
  }

  private void rerun(Job job, Cluster cluster, VersionedDocument<Shard> versionedDocument) {
    var shard = versionedDocument.value();
    var undone = inconsistent(job, cluster, shard);
    var next = ShardTransitions.reopen(shard, undone, context.clock().instant());
    if (!context
        .ledger()
        .commit(List.of(new LedgerWrite.Update(next, versionedDocument.version())))
        .done())
      throw new UnavailableException("a shard is being changed; the message is delivered again");
  }

  /** The tasks that are done by ledger or sentinel but not in fact; deletes their sentinels. */
  private TaskSet inconsistent(Job job, Cluster cluster, Shard shard) {
    var bucket = cluster.spec().bucket();
    var undone = TaskSet.none(shard.start());
    for (var from = shard.start(); from < shard.end(); from += JobFinalization.PIECE) {
      var to = Math.min(shard.end(), from + JobFinalization.PIECE);
      var items = lister.read(job, BucketLayout.of(bucket), from, to);
      var found = OutputCheck.found(outputLookup, job, bucket, items);
      var known = new OutputCheck.Known(List.of(shard), from, to);
      for (var item : items) {
        var output = TaskTemplate.outputUrl(job.spec(), bucket, job.uid(), item);
        if (OutputCheck.outcome(item, output, found, known).result()
            != TaskOutcome.Result.INCONSISTENT) continue;
        Optional.ofNullable(found.get(output + Sentinel.SUFFIX))
            .ifPresent(s -> context.objects().delete(s.url(), s.generation()));
        undone = undone.with(item.index());
      }
    }
    return undone;
  }

  private void forgetOutcome(Job job, BucketLayout bucketLayout) {
    for (var piece = 0; (long) piece * JobFinalization.PIECE < job.tasks(); piece++) {
      ObjectUrl objectUrl = bucketLayout.outcome(job.uid(), piece);
      context
          .objects()
          .find(objectUrl)
          .ifPresent(o -> context.objects().delete(objectUrl, o.generation()));
    }
  }
}
