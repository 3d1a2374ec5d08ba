package dev.mayfly.core.model.job;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One task in the list.
 *
 * @param index its number in the job, from 0
 * @param input the URL of its input, if it has one
 * @param vars its own {name} values; no two of the names have the same {@link #variable}
 */
public record TaskItem(long index, Optional<String> input, Map<String, String> vars) {
  public TaskItem {
    vars = Map.copyOf(vars);
  }

  public static TaskItem counted(long index) {
    return new TaskItem(index, Optional.empty(), Map.of());
  }

  /** The environment variable that holds the value of {name}: {@code MAYFLY_VAR_LR} for lr. */
  public static String variable(String name) {
    return "MAYFLY_VAR_" + name.toUpperCase(Locale.ROOT);
  }

  /** Its own values as environment variables. */
  public Map<String, String> variables() {
    var variables = new LinkedHashMap<String, String>();
    vars.forEach((name, value) -> variables.put(variable(name), value));
    return variables;
  }
}
