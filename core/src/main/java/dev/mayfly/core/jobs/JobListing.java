package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.jobs.gather.GatherEvent;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.plan.lease.ShardSize;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists a job's tasks, one slice at a time, and checks what was listed. */
final class JobListing {
  private final Context context;
  private final TaskLister lister;
  private final PredecessorOutputs predecessorOutputs;

  JobListing(Context context, TaskLister lister, OutputLookup outputLookup) {
    this.context = context;
    this.lister = lister;
    predecessorOutputs = new PredecessorOutputs(context, outputLookup);
  }

  /**
   * The result of one step of a job's expansion.
   *
   * @param more writes to commit with the job
   */
  record Step(Job next, List<LedgerWrite> more) {
    Step {
      more = List.copyOf(more);
    }
  }

  /** Lists and stores the next slice. A repeat stores the same. */
  Step next(Job job, JobState.Expanding state, ClusterSpec cluster) {
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
    var more = new ArrayList<>(warning(sized, taskBatch));
    more.addAll(GatherEvent.of(sized, context.clock().instant(), listed.gathered()));
    return new Step(sized, more);
  }

  private TaskLister.TaskBatch listed(Job job, JobState.Expanding state, ClusterSpec cluster) {
    var list = BucketLayout.of(cluster.bucket()).gathered(job.uid());
    return switch (job.spec().tasks()) {
      case TaskSource.InputsOf of ->
          predecessorOutputs.next(job, of, cluster, state.after(), state.counted());
      case TaskSource.Gather(TaskSource.InputsOf of) ->
          predecessorOutputs.gathered(job, of, cluster, list);
      default -> lister.next(job.spec(), list, state.after(), state.counted());
    };
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

  /**
   * Throws {@link InvalidInputException} if two tasks have one output.
   *
   * @param progress called after each slice
   */
  void checkOutputs(Job job, ClusterSpec cluster, Runnable progress) {
    if (TaskListCheck.hasDistinctOutputs(job.spec())) return;
    var seen = new OutputUrls(job.spec(), cluster, job.uid());
    var bucketLayout = BucketLayout.of(cluster.bucket());
    for (var from = 0L; from < job.tasks().count(); from += TaskLister.BATCH_TASKS) {
      seen.add(
          lister.read(
              job,
              bucketLayout,
              from,
              Math.min(job.tasks().count(), from + TaskLister.BATCH_TASKS)));
      progress.run();
    }
  }
}
