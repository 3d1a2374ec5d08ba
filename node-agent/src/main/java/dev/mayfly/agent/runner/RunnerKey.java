package dev.mayfly.agent.runner;

import dev.mayfly.agent.process.TaskUser;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the tasks of one runner have in common. One with another key needs another runner.
 *
 * @param variables of its process: secrets among them, so that a rotated one starts another
 * @param gpus the devices that it may use, by index
 */
public record RunnerKey(
    String job,
    List<String> command,
    Map<String, String> variables,
    Optional<TaskUser> user,
    List<Integer> gpus) {
  public RunnerKey {
    command = List.copyOf(command);
    variables = Map.copyOf(variables);
    gpus = List.copyOf(gpus);
  }

  /** Whether runners of both may be on the machine when no task needs them: of one job, apart. */
  boolean isBeside(RunnerKey other) {
    return job.equals(other.job)
        && command.equals(other.command)
        && !gpus.isEmpty()
        && !other.gpus.isEmpty()
        && Collections.disjoint(gpus, other.gpus);
  }

  /** Hides the variables' values, as they may be secret. */
  @Override
  public String toString() {
    return job + " " + command + " on " + gpus;
  }
}
