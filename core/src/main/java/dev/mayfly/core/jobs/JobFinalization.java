package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.CrashLoopReader;
import dev.mayfly.core.state.job.JobQueueWriter;
import dev.mayfly.core.state.job.ShardReader;
import dev.mayfly.core.text.AttemptCauses;
import dev.mayfly.core.text.EndText;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Ends a job: compares its outputs with its sentinels and done tasks, and writes the outcome of
 * every task that is known; if none is, of the job as a whole. An outcome object of this end is not
 * written again, so a repeat continues where an earlier try ended.
 */
public final class JobFinalization {
  /** Tasks in one outcome object; task i is in object i / PIECE. */
  public static final int PIECE = 10_000;

  private static final int PIECES = 20;

  private final Context context;
  private final OutcomeWriter outcomeWriter;
  private final SupersededSentinels supersededSentinels;
  private final JobQueueWriter jobQueueWriter;
  private final ShardReader shardReader;

  public JobFinalization(
      Context context,
      TaskLister lister,
      OutputLookup outputLookup,
      JobQueueWriter jobQueueWriter) {
    this.context = context;
    outcomeWriter = new OutcomeWriter(context, lister, outputLookup);
    supersededSentinels = new SupersededSentinels(context, outputLookup);
    this.jobQueueWriter = jobQueueWriter;
    shardReader = new ShardReader(context.ledger());
  }

  /** Continues a job that is FINISHING, unless another call works on it. */
  public void resume(DocumentKey.OfJob key) {
    var cluster =
        context
            .ledger()
            .read(new DocumentKey.OfCluster(key.cluster()))
            .map(VersionedDocument::value);
    if (cluster.isEmpty()) return;
    var work = ResumableWork.of(context.ledger(), context.clock(), key, JobState.Finishing.class);
    work.run(() -> {
      try {
        resume(work, cluster.get());
      } catch (InvalidInputException unusable) {
        endUnread(work, cluster.get(), unusable);
      }
    });
  }

  private void resume(ResumableWork work, Cluster cluster) {
    for (var made = 0; ; ) {
      var stored = work.stored();
      if (stored.isEmpty() || !(stored.get().value().state() instanceof JobState.Finishing state))
        return;
      var job = stored.get().value();
      var progress = state.audited().orElse(JobState.Audited.NOTHING);
      if (progress.tasks() < job.knownTasks()) {
        var piece = piece(work, job, cluster, state, progress);
        if (piece.made) made++;
        progress = piece.progress;
      }
      if (progress.tasks() >= job.knownTasks()) {
        if (!end(work.stored().orElseThrow(), cluster, state, progress)) passOn(work, job);
        return;
      }
      var next = progress;
      UnaryOperator<Job> change = was -> was.with(state.with(next));
      if (made >= PIECES) {
        work.lastStep(change, List.of());
        work.stored().ifPresent(s -> continued(job));
        return;
      }
      work.step(change, List.of());
    }
  }

  /** Another writer changed the job, or has taken over. */
  private void passOn(ResumableWork work, Job job) {
    work.release();
    continued(job);
  }

  private void continued(Job job) {
    TriggerSender.send(context.bus(), new Trigger.Finalize(job.cluster(), job.uid()));
  }

  /**
   * The progress after one more piece.
   *
   * @param made whether this call wrote its outcome object
   */
  private record Piece(JobState.Audited progress, boolean made) {}

  private Piece piece(
      ResumableWork work,
      Job job,
      Cluster cluster,
      JobState.Finishing finishing,
      JobState.Audited before) {
    var number = (int) (before.tasks() / PIECE);
    var to = Math.min(job.knownTasks(), before.tasks() + PIECE);
    var shards = shardReader.between(job, before.shard(), to);
    var written = outcomeWriter.piece(job, cluster, shards, number, finishing);
    work.renew();
    var bucketLayout = BucketLayout.of(cluster.spec().bucket());
    supersededSentinels.giveBack(job, bucketLayout, before.tasks(), to);
    return new Piece(plus(before, to, written.counts(), shards), written.made());
  }

  private static JobState.Audited plus(
      JobState.Audited before, long to, OutcomeCounts counts, List<Shard> shards) {
    var attempts = new EnumMap<FailureCause, Long>(FailureCause.class);
    attempts.putAll(before.attempts());
    var begun = before.shards();
    for (var shard : shards) {
      if (shard.start() < before.tasks()) continue;
      begun++;
      shard.attempts().forEach((c, n) -> attempts.merge(c, n, Long::sum));
    }
    return new JobState.Audited(
        to,
        shards.isEmpty() ? before.shard() : shards.getLast().start(),
        begun,
        before.done() + counts.of(TaskOutcome.Result.DONE),
        before.failed() + counts.of(TaskOutcome.Result.FAILED),
        before.notRun() + counts.of(TaskOutcome.Result.NOT_RUN),
        before.inconsistent() + counts.of(TaskOutcome.Result.INCONSISTENT),
        attempts,
        before.earlier() + counts.earlier(),
        sum(before.stopped(), counts.of(TaskOutcome.Result.STOPPED)),
        sum(before.adopted(), counts.adopted()));
  }

  private static Optional<Long> sum(Optional<Long> before, long more) {
    return more == 0 ? before : Optional.of(before.orElse(0L) + more);
  }

  /**
   * Ends a job whose task list, or the bucket for its outcome, cannot be used, such as one that was
   * deleted: otherwise its name stays taken, and its cluster is never down. Its tasks are counted
   * as its shards know them.
   */
  private void endUnread(ResumableWork work, Cluster cluster, InvalidInputException unusable) {
    var stored = work.stored();
    if (stored.isEmpty() || !(stored.get().value().state() instanceof JobState.Finishing state))
      throw unusable;
    var job = stored.get().value();
    var all = uncompared(job);
    var reason = reason(state, all);
    var result = state.unstarted().map(JobState.Unstarted::result);
    if (result.isEmpty()) {
      reason += "; its outputs cannot be compared with its sentinels: " + unusable.getMessage();
      // Its sentinels were not read, so it has not succeeded.
      result = Optional.of(state.stopped() ? JobState.Result.STOPPED : JobState.Result.FAILED);
    }
    Optional<String> at = Optional.empty();
    try {
      at = Optional.of(outcomeWriter.whole(job, cluster, state, reason));
    } catch (InvalidInputException unwritable) {
      reason += "; its outcome cannot be written: " + unwritable.getMessage();
    }
    if (!end(stored.get(), result.get(), reason, all, at)) passOn(work, job);
  }

  /** All tasks of a job by its shards alone. */
  private JobState.Audited uncompared(Job job) {
    var counts = new EnumMap<TaskOutcome.Result, Long>(TaskOutcome.Result.class);
    var shards = shardReader.between(job, 0, job.knownTasks());
    for (var shard : shards) {
      var stopped = shard.stopped().without(shard.done());
      var failed = shard.failed().without(stopped);
      counts.merge(TaskOutcome.Result.DONE, (long) shard.done().count(), Long::sum);
      counts.merge(TaskOutcome.Result.STOPPED, (long) stopped.count(), Long::sum);
      counts.merge(TaskOutcome.Result.FAILED, (long) failed.count(), Long::sum);
    }
    var known = counts.values().stream().mapToLong(n -> n).sum();
    counts.put(TaskOutcome.Result.NOT_RUN, job.knownTasks() - known);
    return plus(
        JobState.Audited.NOTHING, job.knownTasks(), new OutcomeCounts(counts, 0, 0), shards);
  }

  private boolean end(
      VersionedDocument<Job> storedJob,
      Cluster cluster,
      JobState.Finishing finishing,
      JobState.Audited all) {
    var job = storedJob.value();
    var reason = EndText.of(cause(job, all), reason(finishing, all));
    var outcome =
        job.knownTasks() == 0
            ? outcomeWriter.whole(job, cluster, finishing, reason)
            : BucketLayout.of(cluster.spec().bucket()).outcome(job.uid(), 0).toString();
    return end(storedJob, result(job, finishing, all), reason, all, Optional.of(outcome));
  }

  /** False if another writer changed the job. */
  private boolean end(
      VersionedDocument<Job> storedJob,
      JobState.Result result,
      String reason,
      JobState.Audited all,
      Optional<String> outcome) {
    var taskTotals =
        new TaskTotals(
            all.done(),
            all.failed() + all.inconsistent(),
            all.notRun(),
            0,
            all.shards(),
            all.earlier(),
            all.stopped(),
            all.adopted());
    var end =
        new JobState.Ended(
            context.clock().instant(), result, reason, taskTotals, all.attempts(), outcome);
    return jobQueueWriter.finish(storedJob, storedJob.value().with(end));
  }

  /** A job that users stopped, or some of its tasks while all others were done, was stopped. */
  private static JobState.Result result(
      Job job, JobState.Finishing finishing, JobState.Audited all) {
    if (finishing.unstarted().isPresent()) return finishing.unstarted().get().result();
    var tasks = job.knownTasks();
    var stopped = finishing.stopped();
    var mayBeEmpty = job.tasks().open().isPresent() && !stopped;
    if ((tasks > 0 || mayBeEmpty) && all.done() == tasks) return JobState.Result.SUCCEEDED;
    if (all.stopped().isPresent() && all.done() + all.stopped().get() == tasks)
      return JobState.Result.STOPPED;
    return stopped ? JobState.Result.STOPPED : JobState.Result.FAILED;
  }

  private Optional<String> cause(Job job, JobState.Audited all) {
    if (all.failed() == 0) return Optional.empty();
    return AttemptCauses.ofFailedTasks(new CrashLoopReader(context.ledger()).first(job), job.uid());
  }

  private static String reason(JobState.Finishing finishing, JobState.Audited all) {
    if (finishing.unstarted().isPresent()) return finishing.unstarted().get().reason();
    var text = "%,d done".formatted(all.done());
    text += OutcomeCounts.parts(all.done(), all.earlier(), all.adopted().orElse(0L));
    if (all.failed() > 0) text += ", %,d failed for good".formatted(all.failed());
    if (all.stopped().isPresent()) text += ", %,d stopped".formatted(all.stopped().get());
    if (all.notRun() > 0) text += ", %,d not finished".formatted(all.notRun());
    if (all.inconsistent() > 0)
      text +=
          ", %,d inconsistent: the output is not the one that the sentinel pins"
              .formatted(all.inconsistent());
    if (finishing.stoppedBy().isPresent()) text += "; " + finishing.stoppedBy().get();
    return text;
  }
}
