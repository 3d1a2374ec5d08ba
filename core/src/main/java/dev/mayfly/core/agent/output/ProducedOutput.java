package dev.mayfly.core.agent.output;

import dev.mayfly.core.port.ObjectStore;
import java.util.List;

/** A task's output at {outputFile}, for the agent to upload. */
public sealed interface ProducedOutput {
  record Nothing() implements ProducedOutput {}

  record OneFile(ObjectStore.Content content) implements ProducedOutput {}

  /**
   * @param entries its files, in the order of their paths
   * @param folders those in which no file is
   */
  record Directory(List<Entry> entries, List<String> folders) implements ProducedOutput {
    public Directory {
      entries = List.copyOf(entries);
      folders = List.copyOf(folders);
    }
  }

  /**
   * @param path below the directory, with slashes
   */
  record Entry(String path, ObjectStore.Content content) {}
}
