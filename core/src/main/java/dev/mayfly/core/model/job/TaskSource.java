package dev.mayfly.core.model.job;

import java.util.List;
import java.util.Map;

/** The source of a job's tasks. */
public sealed interface TaskSource {
  /** One task for each matching object, in the order of names; {@code *.COMPLETE} never matches. */
  record Inputs(String glob) implements TaskSource {}

  /**
   * One task for each item; a plain string {@code s} in a document is the item {@code {item: s}}.
   */
  record Items(List<Map<String, String>> items) implements TaskSource {
    public Items {
      items = items.stream().map(Map::copyOf).toList();
    }
  }

  /** Tasks that differ only by their index. */
  record Count(long count) implements TaskSource {}
}
