package dev.mayfly.core.model.job;

import java.util.List;
import java.util.Map;

/** What a job's tasks are made from. */
public sealed interface TaskSource {
  /**
   * A task for each object that matches, in the order of names; {@code *.COMPLETE} never matches.
   */
  record Inputs(String glob) implements TaskSource {}

  /** A task for each item; a plain string {@code s} in a document is the item {@code {item: s}}. */
  record Items(List<Map<String, String>> items) implements TaskSource {
    public Items {
      items = items.stream().map(Map::copyOf).toList();
    }
  }

  /** Tasks that differ by their index alone. */
  record Count(long count) implements TaskSource {}
}
