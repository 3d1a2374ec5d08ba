package dev.mayfly.core.agent;

import dev.mayfly.core.port.Objects;
import java.util.List;

/** What a task left at {outputFile} for the agent to upload. */
public sealed interface Left {
  record Nothing() implements Left {}

  record OneFile(Objects.Content content) implements Left {}

  /** Its files, in the order of their paths. Links are not followed. */
  record Directory(List<Entry> entries) implements Left {
    public Directory {
      entries = List.copyOf(entries);
    }
  }

  /**
   * @param path below the directory, with slashes
   */
  record Entry(String path, Objects.Content content) {}
}
