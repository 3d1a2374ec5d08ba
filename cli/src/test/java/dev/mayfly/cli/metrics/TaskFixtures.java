package dev.mayfly.cli.metrics;

import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.query.task.TaskStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tasks of a sweep, with only what the tests need. */
public final class TaskFixtures {
  private TaskFixtures() {}

  public static TaskStatus task(
      long index,
      TaskStatus.State state,
      Map<String, String> variables,
      Map<String, Double> metrics) {
    return task(index, state, variables, metrics, Optional.empty());
  }

  /** One that an earlier job's task did. */
  public static TaskStatus adopted(long index, String by) {
    return task(index, TaskStatus.State.DONE, Map.of(), Map.of(), Optional.of(by));
  }

  private static TaskStatus task(
      long index,
      TaskStatus.State state,
      Map<String, String> variables,
      Map<String, Double> metrics,
      Optional<String> doneBy) {
    return new TaskStatus(
        "j1",
        index,
        state,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        variables,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(metrics).filter(m -> !m.isEmpty()),
        TaskProgress.of(metrics),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        doneBy.isPresent(),
        doneBy,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The same on a machine, with metrics. */
  public static TaskStatus reporting(TaskStatus task, Map<String, Double> metrics) {
    return reporting(task, metrics, Optional.empty());
  }

  /** The same on a machine, with what it used. */
  public static TaskStatus using(TaskStatus task, TaskUse use) {
    return reporting(task, Map.of(), Optional.of(use));
  }

  /** The same, after its loss became NaN. */
  public static TaskStatus diverging(TaskStatus task) {
    var metrics = task.metrics().orElse(Map.of());
    return reporting(task, metrics, Optional.empty(), Optional.of(List.of("loss")));
  }

  private static TaskStatus reporting(
      TaskStatus task, Map<String, Double> metrics, Optional<TaskUse> use) {
    return reporting(task, metrics, use, Optional.empty());
  }

  private static TaskStatus reporting(
      TaskStatus task,
      Map<String, Double> metrics,
      Optional<TaskUse> use,
      Optional<List<String>> diverged) {
    return new TaskStatus(
        task.job(),
        task.index(),
        task.state(),
        task.input(),
        task.gathered(),
        task.output(),
        task.variables(),
        task.attempts(),
        List.of("lab-gpu-7f3a"),
        Optional.of(ViewFixtures.NOW.minusSeconds(75)),
        task.endedAt(),
        task.failure(),
        task.failures(),
        Optional.of(metrics).filter(m -> !m.isEmpty()),
        TaskProgress.of(metrics),
        task.adoptedBy(),
        task.continued(),
        task.stalled(),
        task.waits(),
        false,
        Optional.empty(),
        use,
        Optional.empty(),
        diverged);
  }

  /** Three seeds of two rates; one trial failed before it reported anything, and one runs. */
  public static List<TaskStatus> sweep() {
    return List.of(
        trial(0, TaskStatus.State.DONE, "0.1", Map.of("acc", 0.5, "loss", 2.0)),
        trial(1, TaskStatus.State.DONE, "0.1", Map.of("acc", 0.7, "loss", 1.0)),
        trial(2, TaskStatus.State.RUNNING, "0.1", Map.of("acc", 0.9, "loss", 0.1)),
        trial(3, TaskStatus.State.DONE, "0.01", Map.of("acc", 0.8, "loss", 0.3)),
        trial(4, TaskStatus.State.DONE, "0.01", Map.of("acc", 0.6, "loss", 0.4)),
        trial(5, TaskStatus.State.FAILED, "0.01", Map.of()));
  }

  private static TaskStatus trial(
      long index, TaskStatus.State state, String rate, Map<String, Double> metrics) {
    return task(index, state, Map.of("lr", rate, "seed", "" + index % 3), metrics);
  }
}
