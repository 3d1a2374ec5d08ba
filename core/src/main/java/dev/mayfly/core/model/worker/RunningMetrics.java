package dev.mayfly.core.model.worker;

import dev.mayfly.core.model.TaskMetrics;
import java.time.Instant;
import java.util.List;

/**
 * What the running tasks of a worker report of themselves.
 *
 * @param at when it was last written; the worker may have sent later values since
 */
public record RunningMetrics(Instant at, List<TaskMetrics> tasks) {
  public RunningMetrics {
    tasks = List.copyOf(tasks);
  }

  /** When the newest values of one of them were read; of an agent of before, written. */
  public Instant readAt(TaskMetrics task) {
    return TaskMetrics.readAt(task.values()).orElse(at);
  }
}
