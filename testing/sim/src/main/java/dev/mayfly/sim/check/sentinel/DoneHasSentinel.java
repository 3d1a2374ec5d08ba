package dev.mayfly.sim.check.sentinel;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * I3 and I12: a task is recorded as done only if its sentinel exists, every job that ends has an
 * outcome, and the outcome agrees with the sentinels.
 */
public final class DoneHasSentinel implements Invariant {
  private static final String ID = "I3";

  private final GroundTruth groundTruth;

  public DoneHasSentinel(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.after().orElse(null) instanceof Shard s) sealed(change, s);
      if (change.after().orElse(null) instanceof Job j && ends(change))
        outcome(j, finishing(change), startedBefore(change));
    }
  }

  private void sealed(SimLedger.Change change, Shard shard) {
    var before =
        change.before().orElse(null) instanceof Shard s ? Optional.of(s) : Optional.<Shard>empty();
    if (before.isPresent() && before.get().done().equals(shard.done())) return;
    var job = groundTruth.job(shard.cluster(), shard.job()).orElseThrow();
    shard
        .done()
        .indexes()
        .filter(i -> before.isEmpty() || !before.get().done().has(i))
        .filter(i -> !groundTruth.sealed(job, i))
        .findFirst()
        .ifPresent(i -> {
          throw new InvariantViolation(
              ID, "task " + i + " of " + job.uid() + " is done without a sentinel");
        });
  }

  private static boolean ends(SimLedger.Change change) {
    return change.after().orElse(null) instanceof Job after
        && after.state().ended()
        && !(change.before().orElse(null) instanceof Job before && before.state().ended());
  }

  /** A job that never started ends for its reason, also if earlier jobs have done all its tasks. */
  private boolean startedBefore(SimLedger.Change change) {
    var shards = groundTruth.ledger().under(change.document().key().path() + "/shards/");
    return !shards.isEmpty()
        || !(change.before().orElse(null) instanceof Job before
            && before.state() instanceof JobState.Finishing finishing
            && finishing.unstarted().isPresent());
  }

  /** When finalizing the job began. */
  private static Instant finishing(SimLedger.Change change) {
    return change.before().orElse(null) instanceof Job before
            && before.state() instanceof JobState.Finishing finishing
        ? finishing.since()
        : Instant.MAX;
  }

  private void outcome(Job job, Instant finishing, boolean started) {
    var end = job.state().end().orElseThrow();
    if (end.outcome().isEmpty())
      throw new InvariantViolation(
          ID, job.uid() + " has ended (" + end.reason() + ") and no object tells how");
    var tasks = outcomes(job);
    var count = job.knownTasks();
    if (count == 0) {
      whole(job, end, tasks);
      return;
    }
    if (tasks.size() != count)
      throw new InvariantViolation(
          ID, job.uid() + ": the outcome tells of " + tasks.size() + " tasks of " + count);
    for (var i = 0; i < tasks.size(); i++) {
      var task = tasks.get(i);
      if (task.index() != i)
        throw new InvariantViolation(
            ID, job.uid() + ": line " + i + " of the outcome tells of task " + task.index());
      agrees(job, task, finishing);
    }
    var done = tasks.stream().filter(t -> t.result() == TaskOutcome.Result.DONE).count();
    var succeeded = end.result() == JobState.Result.SUCCEEDED;
    if (succeeded != (started && done == count))
      throw new InvariantViolation(
          ID, job.uid() + ": " + job.state() + " with " + done + " of " + count + " done");
  }

  /** A job without tasks has one line, with the reason. */
  private static void whole(Job job, JobState.Ended end, List<TaskOutcome> lines) {
    if (!lines.equals(List.of(TaskOutcome.ofJob(end.reason()))))
      throw new InvariantViolation(
          ID, job.uid() + " ended (" + end.reason() + "), and its outcome tells: " + lines);
  }

  private List<TaskOutcome> outcomes(Job job) {
    var cluster =
        groundTruth
            .ledger()
            .readSpoiled(new DocumentKey.OfCluster(job.cluster()))
            .map(VersionedDocument::value);
    var bucketLayout = BucketLayout.of(cluster.map(Cluster::spec).orElseThrow().bucket());
    var all = new ArrayList<TaskOutcome>();
    for (var piece = 0; ; piece++) {
      var bytes =
          groundTruth.objects().read(bucketLayout.outcome(job.uid(), piece), Integer.MAX_VALUE);
      if (bytes.isEmpty()) return all;
      all.addAll(groundTruth.codec().outcomes(bytes.get()));
    }
  }

  /**
   * A worker that lost its lease may publish until its cut-off, even during finalization: the
   * outcome may miss sentinels created since it began.
   */
  private void agrees(Job job, TaskOutcome task, Instant finishing) {
    var sentinel = groundTruth.sentinels().of(job, task.index());
    if (sentinel.isEmpty() && task.result() == TaskOutcome.Result.DONE)
      throw new InvariantViolation(
          ID, "the outcome of " + job.uid() + " calls task " + task.index() + " done");
    if (sentinel.isEmpty()) return;
    if (task.result() == TaskOutcome.Result.INCONSISTENT) return;
    if (task.result() != TaskOutcome.Result.DONE && sentinel.get().updated().isAfter(finishing))
      return;
    if (task.result() != TaskOutcome.Result.DONE)
      throw new InvariantViolation(
          ID, "the outcome of " + job.uid() + " forgets the sentinel of task " + task.index());
    var by = Sentinel.by(sentinel.get().metadata());
    var told = by.map(b -> b.job() + "/" + b.attempt()).orElse("foreign");
    if (!task.by().orElse("").equals(told))
      throw new InvariantViolation(
          ID,
          "task %d of %s: the outcome names %s, its sentinel %s"
              .formatted(task.index(), job.uid(), task.by(), told));
  }
}
