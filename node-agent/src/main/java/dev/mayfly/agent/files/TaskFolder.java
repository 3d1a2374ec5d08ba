package dev.mayfly.agent.files;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The files of a folder that a task writes to. Does not follow links, which could lead anywhere.
 * Throws {@link InvalidInputException} for errors that only the user can fix.
 */
public final class TaskFolder {
  /** Each folder on the way down is held open. */
  private static final int DEEPEST = 100;

  private final Source source;

  /** Opens the folder; empty if the task replaced it by something else. */
  public interface Source {
    Optional<SecureDirectory> open() throws IOException;
  }

  public TaskFolder(Source source) {
    this.source = source;
  }

  /**
   * One file.
   *
   * @param path below the folder, with slashes
   */
  public record TaskFile(String path, Instant modified, ObjectStore.Content content) {}

  /** What is at a name in the folder: one file, or all files of a subfolder in order. */
  public List<TaskFile> at(List<String> below) throws IOException {
    var files = new ArrayList<TaskFile>();
    try (var open = source.open().orElse(null)) {
      if (open == null) return List.of();
      try (var folder = open.walk(below).orElse(null)) {
        if (folder != null) list(folder, below, below.size(), files);
      }
    }
    files.sort(Comparator.comparing(TaskFile::path));
    return files;
  }

  private void list(SecureDirectory folder, List<String> path, int top, List<TaskFile> files)
      throws IOException {
    if (path.size() - top > DEEPEST)
      throw new InvalidInputException(
          String.join("/", path.subList(0, 4)) + "/…",
          "folders lie more than " + DEEPEST + " deep");
    for (var name : folder.names()) {
      var there = new ArrayList<>(path);
      there.add(text(name, path));
      var found = folder.find(name);
      if (found.isEmpty()) continue;
      if (found.get().isDirectory()) {
        try (var inner = folder.in(name)) {
          list(inner, there, top, files);
        }
      } else if (found.get().isRegularFile()) {
        var below = String.join("/", there.subList(top, there.size()));
        var content = content(List.copyOf(there), found.get().size());
        files.add(new TaskFile(below, found.get().lastModifiedTime().toInstant(), content));
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

  /** The content of the file at a path, which no process may change while it is read. */
  public ObjectStore.Content content(List<String> path, long size) {
    return new FileContent(source, path, size);
  }

  private record FileContent(Source source, List<String> path, long size)
      implements ObjectStore.Content {
    @Override
    public InputStream open() throws IOException {
      try (var root = source.open().orElseThrow(() -> new IOException("the folder is gone"))) {
        var folder = root.walk(path.subList(0, path.size() - 1));
        if (folder.isEmpty()) throw new IOException("the file " + path + " is gone");
        try (var open = folder.get()) {
          return content(open);
        }
      }
    }

    private InputStream content(SecureDirectory folder) throws IOException {
      return folder
          .read(Path.of(path.getLast()))
          .map(Channels::newInputStream)
          .orElseThrow(() -> new IOException(String.join("/", path) + " is no longer a file"));
    }
  }
}
