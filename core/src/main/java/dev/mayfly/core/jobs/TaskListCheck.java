package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.spending.PossibleCost;
import dev.mayfly.core.text.TaskTemplate;

/** Whether a job may have as many tasks as were counted, and those that it names. */
final class TaskListCheck {
  private static final long MAX_TASKS = 10_000_000;

  /** Most tasks for which an output template without {index} is checked for shared outputs. */
  private static final long CHECKED = 1_000_000;

  private TaskListCheck() {}

  /**
   * Throws {@link InvalidInputException} for a job that is too large, or too large to run
   * unconfirmed, and for one of which a task is to run again that it does not have.
   *
   * @param tasks counted so far
   * @param all whether these are all that there are
   */
  static void check(JobSpec spec, long tasks, boolean all, ClusterSpec cluster) {
    if (tasks > MAX_TASKS)
      throw new InvalidInputException(
          "tasks",
          "the job has more than %,d tasks, which is the most for one job; split it into several jobs"
              .formatted(MAX_TASKS));
    if (tasks > CHECKED && !hasDistinctOutputs(spec))
      throw new InvalidInputException(
          "output",
          "with more than %,d tasks the output needs {index} in it, so that no two tasks share one"
              .formatted(CHECKED));
    if (all) checkAgain(spec, tasks);
    if (!spec.admission().confirmed().orElse(false)) checkConfirmed(spec, tasks, cluster);
  }

  private static void checkAgain(JobSpec spec, long tasks) {
    var again = spec.data().doneRule().again();
    if (again.isPresent() && again.get().last() >= tasks)
      throw new InvalidInputException(
          "tasks.again",
          "names task %d, and the job has the tasks 0 to %d"
              .formatted(again.get().last(), tasks - 1));
  }

  private static void checkConfirmed(JobSpec spec, long tasks, ClusterSpec cluster) {
    PossibleCost.whyConfirm(spec, tasks, cluster)
        .ifPresent(why -> {
          throw new InvalidInputException(
              "tasks", why + "; submit fewer, or confirm it (mayfly submit --yes, confirm: true)");
        });
  }

  /** Whether two tasks cannot have one output. */
  static boolean hasDistinctOutputs(JobSpec spec) {
    return spec.data()
        .output()
        .map(t -> TaskTemplate.placeholders(t).contains("index"))
        .orElse(true);
  }
}
