package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.SecureDirectory;
import dev.mayfly.core.agent.output.ProducedOutput;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads a task's output. Does not follow links, which could lead anywhere. Throws {@link
 * InvalidInputException} for errors that only the user can fix.
 */
final class OutputCollector {
  /** Each folder on the way down is held open. */
  private static final int DEEPEST = 100;

  private OutputCollector() {}

  static ProducedOutput at(AttemptDir dir, Path output) throws IOException {
    var file = output.getFileName();
    var name = file.toString();
    try (var open = dir.outputs().orElse(null)) {
      if (open == null) return new ProducedOutput.Nothing();
      var found = open.find(file);
      if (found.isEmpty()) return new ProducedOutput.Nothing();
      if (found.get().isRegularFile())
        return new ProducedOutput.OneFile(new FileContent(dir, List.of(name), found.get().size()));
      if (!found.get().isDirectory()) return new ProducedOutput.Nothing();
      var entries = new ArrayList<ProducedOutput.Entry>();
      try (var folder = open.in(file)) {
        list(dir, folder, List.of(name), entries);
      }
      entries.sort(Comparator.comparing(ProducedOutput.Entry::path));
      return new ProducedOutput.Directory(entries);
    }
  }

  private static void list(
      AttemptDir dir, SecureDirectory folder, List<String> path, List<ProducedOutput.Entry> entries)
      throws IOException {
    if (path.size() > DEEPEST)
      throw new InvalidInputException(
          String.join("/", path.subList(0, 4)) + "/…",
          "folders of the output lie more than " + DEEPEST + " deep");
    for (var name : folder.names()) {
      var there = new ArrayList<>(path);
      there.add(text(name, path));
      var found = folder.find(name);
      if (found.isEmpty()) continue;
      if (found.get().isDirectory()) {
        try (var inner = folder.in(name)) {
          list(dir, inner, there, entries);
        }
      } else if (found.get().isRegularFile()) {
        var below = String.join("/", there.subList(1, there.size()));
        var content = new FileContent(dir, List.copyOf(there), found.get().size());
        entries.add(new ProducedOutput.Entry(below, content));
      }
    }
  }

  /**
   * Object names are UTF-8. A file whose name cannot be converted is an error, never omitted
   * silently.
   */
  private static String text(Path name, List<String> folder) {
    var text = name.toString();
    try {
      if (Path.of(text).equals(name)) return text;
    } catch (InvalidPathException e) {
      // In an ASCII locale, every non-ASCII name ends here.
    }
    throw new InvalidInputException(
        String.join("/", folder) + "/" + text,
        "the file's name is not text in the agent's character set, "
            + System.getProperty("sun.jnu.encoding")
            + "; name it otherwise");
  }

  /** A file that no process changes: its task's processes have ended. */
  private record FileContent(AttemptDir dir, List<String> path, long size)
      implements ObjectStore.Content {
    @Override
    public InputStream open() throws IOException {
      var outputs = dir.outputs().orElseThrow(() -> new IOException("the output's folder is gone"));
      try (outputs) {
        var folder = outputs.walk(path.subList(0, path.size() - 1));
        if (folder.isEmpty()) throw new IOException("the output " + path + " is gone");
        try (var open = folder.get()) {
          return content(open);
        }
      }
    }

    private InputStream content(SecureDirectory folder) throws IOException {
      var name = Path.of(path.getLast());
      if (folder.find(name).filter(found -> found.isRegularFile()).isEmpty())
        throw new IOException("the output " + String.join("/", path) + " is no longer a file");
      return Channels.newInputStream(folder.read(name));
    }
  }
}
