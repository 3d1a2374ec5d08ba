package dev.mayfly.core.agent.output;

import dev.mayfly.core.port.ObjectStore;
import java.util.List;

/** A task's output at {outputFile}, for the agent to upload. */
public sealed interface ProducedOutput {
  record Nothing() implements ProducedOutput {}

  record OneFile(ObjectStore.Content content) implements ProducedOutput {}

  /** Its files, in the order of their paths. Links are not followed. */
  record Directory(List<Entry> entries) implements ProducedOutput {
    public Directory {
      entries = List.copyOf(entries);
    }
  }

  /**
   * @param path below the directory, with slashes
   */
  record Entry(String path, ObjectStore.Content content) {}
}
