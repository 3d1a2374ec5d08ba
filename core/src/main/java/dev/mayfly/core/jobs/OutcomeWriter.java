package dev.mayfly.core.jobs;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.text.TaskTemplate;
import java.util.HashMap;
import java.util.List;

/**
 * Writes a job's outcome objects, each once for each end of the job: an object that a retry left
 * over is replaced.
 */
final class OutcomeWriter {
  private static final String SINCE = "mayfly-finishing";

  private final Context context;
  private final TaskLister lister;
  private final OutputLookup outputLookup;

  OutcomeWriter(Context context, TaskLister lister, OutputLookup outputLookup) {
    this.context = context;
    this.lister = lister;
    this.outputLookup = outputLookup;
  }

  /**
   * One object.
   *
   * @param made whether this call wrote it
   */
  record Written(OutcomeCounts counts, boolean made) {}

  /**
   * The object of the tasks from {@code number * PIECE} on.
   *
   * @param shards of these tasks, as far as they are in shards
   */
  Written piece(
      Job job, Cluster cluster, List<Shard> shards, int number, JobState.Finishing finishing) {
    var at = BucketLayout.of(cluster.spec().bucket()).outcome(job.uid(), number);
    // A piece from before a retry does not count for this end.
    var existing = context.objects().find(at).filter(p -> isOf(p, finishing));
    if (existing.isPresent()) return new Written(OutcomeCounts.of(existing.get()), false);
    var lines = lines(job, cluster, shards, number, finishing);
    var counts = OutcomeCounts.of(job.uid(), lines);
    return new Written(write(at, lines, counts, finishing), true);
  }

  private List<TaskOutcome> lines(
      Job job, Cluster cluster, List<Shard> shards, int number, JobState.Finishing finishing) {
    var from = (long) number * JobFinalization.PIECE;
    var to = Math.min(job.knownTasks(), from + JobFinalization.PIECE);
    var bucket = cluster.spec().bucket();
    var items = lister.read(job, BucketLayout.of(bucket), from, to, shards);
    var known = new OutputCheck.Known(shards, from, to);
    var found = OutputCheck.found(outputLookup, job, bucket, items);
    return items.stream()
        .map(i ->
            OutputCheck.outcome(
                job, i, TaskTemplate.outputUrl(job.spec(), bucket, job.uid(), i), found, known))
        .map(outcome -> outcome.because(finishing.whyNotRun()))
        .toList();
  }

  /** The only object of a job of which no task is known; returns its URL. */
  String whole(Job job, Cluster cluster, JobState.Finishing finishing, String reason) {
    var at = BucketLayout.of(cluster.spec().bucket()).outcome(job.uid(), 0);
    var nothing = OutcomeCounts.of(job.uid(), List.of());
    var _ = write(at, List.of(TaskOutcome.ofJob(reason)), nothing, finishing);
    return at.toString();
  }

  private OutcomeCounts write(
      ObjectUrl at, List<TaskOutcome> lines, OutcomeCounts counts, JobState.Finishing finishing) {
    var metadata = new HashMap<>(counts.metadata());
    metadata.put(SINCE, finishing.since().toString());
    var content = ObjectStore.Content.of(context.codec().outcome(lines));
    var created = context.objects().create(at, content, metadata);
    if (!(created instanceof ObjectStore.Creation.Exists e)) return counts;
    if (isOf(e.info(), finishing)) return OutcomeCounts.of(e.info());
    return switch (context.objects().replace(at, content, metadata, e.info().generation())) {
      case ObjectStore.Replacement.Replaced _ -> counts;
      case ObjectStore.Replacement.Changed c ->
          OutcomeCounts.of(
              c.there()
                  .filter(o -> isOf(o, finishing))
                  .orElseThrow(() -> new UnavailableException(at + " is being written elsewhere")));
    };
  }

  private static boolean isOf(ObjectInfo piece, JobState.Finishing finishing) {
    return finishing.since().toString().equals(piece.metadata().get(SINCE));
  }
}
