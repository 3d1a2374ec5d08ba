package dev.mayfly.wire;

import java.util.Map;

/**
 * The line with which a runner is given a task.
 *
 * @param task names the attempt; its answer repeats it
 * @param index the task's number in its job
 * @param attempt as in {@code MAYFLY_ATTEMPT}
 * @param input the path of the downloaded input; there is no file if nothing is downloaded
 * @param output the path where the task leaves its output
 * @param folder empty, the task's own, and deleted after it
 * @param variables those of the documented variables that differ from task to task
 */
public record RunnerTask(
    String task,
    long index,
    String attempt,
    String input,
    String output,
    String folder,
    Map<String, String> variables) {
  public RunnerTask {
    variables = Map.copyOf(variables);
  }

  /** Hides the variables' values, as they may be secret. */
  @Override
  public String toString() {
    return "task " + task;
  }
}
