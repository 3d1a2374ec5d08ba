package dev.mayfly.core.query.task;

import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.RunningMetrics;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How far a job's running tasks are by what they report themselves.
 *
 * @param tasks that report it, one at least
 * @param part what these have done, in tasks: 1.5 of three that are half done each
 * @param least the one that is least far
 */
public record JobProgress(long tasks, double part, TaskProgress least) {
  public JobProgress {
    if (tasks < 1) throw new IllegalArgumentException("no task reports how far it is");
    if (part < 0 || part > tasks)
      throw new IllegalArgumentException("%s of %d tasks".formatted(part, tasks));
  }

  /**
   * Empty if none of them reports a count with its total.
   *
   * @param workers that may run the job's tasks
   */
  public static Optional<JobProgress> of(Job job, Collection<Worker> workers) {
    // Each host of a gang may report the same task.
    var byTask = new TreeMap<Long, TaskProgress>();
    for (var worker : workers)
      if (worker.held().stream().anyMatch(held -> held.job().equals(job.uid())))
        for (var task : worker.metrics().map(RunningMetrics::tasks).orElse(List.of()))
          if (task.job().equals(job.uid()))
            TaskProgress.of(task.values())
                .ifPresent(progress -> byTask.putIfAbsent(task.index(), progress));
    var parts = byTask.values().stream().mapToDouble(TaskProgress::part).sum();
    return byTask.values().stream()
        .min(Comparator.comparingDouble(TaskProgress::part))
        .map(least -> new JobProgress(byTask.size(), parts, least));
  }
}
