package dev.mayfly.core.query.task;

import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How far a job's running tasks are by what they report themselves.
 *
 * @param tasks that report it, one at least
 * @param part what these have done, in tasks: 1.5 of three that are half done each
 * @param least the one that is least far
 * @param most the one that is farthest. Only older control planes omit it
 * @param at when the oldest of these counts was read on its machine; of an older agent, when the
 *     control plane wrote it. Only older control planes omit it
 */
public record JobProgress(
    long tasks,
    double part,
    TaskProgress least,
    Optional<TaskProgress> most,
    Optional<Instant> at) {
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
    var oldest = Instant.MAX;
    for (var worker : workers) {
      if (worker.metrics().isEmpty()
          || worker.held().stream().noneMatch(held -> held.job().equals(job.uid()))) continue;
      var metrics = worker.metrics().get();
      for (var task : metrics.tasks()) {
        var progress = TaskProgress.of(task.values());
        if (!task.job().equals(job.uid()) || progress.isEmpty()) continue;
        byTask.putIfAbsent(task.index(), progress.get());
        if (metrics.readAt(task).isBefore(oldest)) oldest = metrics.readAt(task);
      }
    }
    var parts = byTask.values().stream().mapToDouble(TaskProgress::part).sum();
    var at = oldest;
    var most = byTask.values().stream().max(Comparator.comparingDouble(TaskProgress::part));
    return byTask.values().stream()
        .min(Comparator.comparingDouble(TaskProgress::part))
        .map(least -> new JobProgress(byTask.size(), parts, least, most, Optional.of(at)));
  }
}
