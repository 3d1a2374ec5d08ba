package dev.mayfly.core.model.job;

import java.util.Map;
import java.util.Optional;

/**
 * One task in the list.
 *
 * @param index its number in the job, from 0
 * @param input the URL of its input, if it has one
 * @param vars its own {name} values
 */
public record TaskItem(long index, Optional<String> input, Map<String, String> vars) {
  public TaskItem {
    vars = Map.copyOf(vars);
  }

  public static TaskItem counted(long index) {
    return new TaskItem(index, Optional.empty(), Map.of());
  }
}
