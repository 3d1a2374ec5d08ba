package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.TaskFolder;
import dev.mayfly.core.agent.output.ProducedOutput;
import dev.mayfly.core.error.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads a task's output. Does not follow links, which could lead anywhere. Throws {@link
 * InvalidInputException} for errors that only the user can fix.
 */
final class OutputCollector {
  private OutputCollector() {}

  static ProducedOutput at(AttemptDir dir, Path output) throws IOException {
    var file = output.getFileName();
    var name = List.of(file.toString());
    var folder = new TaskFolder(dir::outputs);
    try (var open = dir.outputs().orElse(null)) {
      var found = open == null ? null : open.find(file).orElse(null);
      if (found != null && found.isRegularFile())
        return new ProducedOutput.OneFile(folder.content(name, found.size()));
      if (found == null || !found.isDirectory()) return new ProducedOutput.Nothing();
    }
    return new ProducedOutput.Directory(
        folder.at(name).stream()
            .map(f -> new ProducedOutput.Entry(f.path(), f.content()))
            .toList());
  }
}
