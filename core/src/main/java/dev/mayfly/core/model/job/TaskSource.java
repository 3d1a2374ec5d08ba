package dev.mayfly.core.model.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The source of a job's tasks. */
public sealed interface TaskSource {
  /** One task for each matching object, in the order of names; {@code *.COMPLETE} never matches. */
  record Inputs(String glob) implements TaskSource {}

  /**
   * One task for each output of another job that has a sentinel, in the order of that job's tasks.
   *
   * @param job its name; the job comes after it
   */
  record InputsOf(String job) implements TaskSource {}

  /**
   * One task for each item; a plain string {@code s} in a document is the item {@code {item: s}}.
   */
  record Items(List<Map<String, String>> items) implements TaskSource {
    public Items {
      items = items.stream().map(Map::copyOf).toList();
    }
  }

  /**
   * Tasks that messages add while the job is open; each is stored with its shard.
   *
   * @param items the first tasks, as in {@link Items}; may be empty
   * @param variables names that each added task must have a value for
   * @param openFor after which no more are taken
   * @param idleAfter the same, since the last task ended
   */
  record Open(
      List<Map<String, String>> items, List<String> variables, Duration openFor, Duration idleAfter)
      implements TaskSource {
    public Open {
      items = items.stream().map(Map::copyOf).toList();
      variables = List.copyOf(variables);
    }
  }

  /** Tasks that differ only by their index. */
  record Count(long count) implements TaskSource {}
}
