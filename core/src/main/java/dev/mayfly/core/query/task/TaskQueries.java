package dev.mayfly.core.query.task;

import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.state.Context;
import java.util.List;
import java.util.Optional;

/** Reads a job's tasks, a page at a time. */
public final class TaskQueries {
  private final LiveTasks liveTasks;
  private final EndedTasks endedTasks;

  public TaskQueries(Context context) {
    liveTasks = new LiveTasks(context);
    endedTasks = new EndedTasks(context);
  }

  /** A page is empty while the job's tasks are being listed. */
  public TaskPage page(Cluster cluster, Job job, TaskRequest taskRequest) {
    // A lifecycle rule of the bucket may have deleted the outcome; the shards are kept longer.
    return Optional.of(job)
        .filter(j -> j.state().ended())
        .flatMap(ended -> endedTasks.page(cluster, ended, taskRequest))
        .orElseGet(() -> liveTasks.page(cluster, job, taskRequest));
  }

  /**
   * A task with its failed attempts. Throws {@link UnknownNameException} if the job has no such
   * task, or has not listed it yet.
   */
  public TaskStatus task(Cluster cluster, Job job, long index) {
    var page = page(cluster, job, new TaskRequest(Optional.empty(), index, 1));
    return page.tasks().stream()
        .filter(task -> task.index() == index)
        .findFirst()
        .map(task -> task.withFailures(failures(job, task)))
        .orElseThrow(() ->
            new UnknownNameException(
                "task",
                "job %s has no task %d; %s"
                    .formatted(
                        job.spec().name(),
                        index,
                        job.tasks().count() == 0
                            ? "its tasks are not listed yet"
                            : "its tasks are 0 to " + (job.tasks().count() - 1))));
  }

  /** Those of its shard; without one what its outcome has. */
  private List<AttemptFailure> failures(Job job, TaskStatus task) {
    var kept = liveTasks.failures(job, task.index());
    return kept.isEmpty() ? task.failure().stream().toList() : kept;
  }
}
