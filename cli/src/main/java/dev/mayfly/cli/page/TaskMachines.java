package dev.mayfly.cli.page;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.task.TaskStatus;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machines that ran tasks, of those that the control plane knows: a day after they are gone it
 * forgets them.
 */
final class TaskMachines {
  private TaskMachines() {}

  /**
   * @param histories tasks with all their failed attempts, of those that have several
   */
  static List<ExportedJob.Machine> of(
      List<WorkerStatus> workers, List<TaskStatus> tasks, List<TaskStatus> histories) {
    var ran =
        Stream.concat(tasks.stream(), histories.stream())
            .flatMap(TaskMachines::names)
            .collect(Collectors.toSet());
    return workers.stream()
        .filter(worker -> ran.contains(worker.name()))
        .map(ExportedJob.Machine::of)
        .toList();
  }

  private static Stream<String> names(TaskStatus task) {
    var failures =
        Stream.concat(task.failure().stream(), task.failures().stream().flatMap(List::stream));
    return Stream.concat(
        task.workers().stream(), failures.map(AttemptFailure::allWorkers).flatMap(List::stream));
  }
}
