package dev.mayfly.agent.files;

import dev.mayfly.core.files.FolderContent;
import dev.mayfly.core.files.FolderContent.StoredFile;
import dev.mayfly.core.files.FolderWalk;
import dev.mayfly.core.files.NameRule;
import dev.mayfly.core.files.StoragePolicy;
import dev.mayfly.core.files.WalkFilter;
import dev.mayfly.core.files.WalkStart;
import dev.mayfly.core.port.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A folder that a task writes to. Links are resolved by their text alone and never by the system,
 * because they could lead anywhere.
 */
public final class TaskFolder {
  private final Source source;

  /** Opens the folder; empty if the task replaced it by something else. */
  public interface Source {
    Optional<SecureDirectory> open() throws IOException;
  }

  public TaskFolder(Source source) {
    this.source = source;
  }

  /** What is in the folder; empty if the task replaced it by something else. */
  public Optional<FolderContent> content(StoragePolicy policy, NameRule names) throws IOException {
    return walk(tree -> FolderWalk.of(tree, policy, WalkFilter.NONE, names));
  }

  /** What is at a name in the folder; empty if the task replaced the folder by something else. */
  public Optional<WalkStart> at(String name, StoragePolicy policy, NameRule names)
      throws IOException {
    return walk(tree -> FolderWalk.at(tree, name, policy, names));
  }

  private interface Walk<T> {
    T over(TaskTree tree);
  }

  private <T> Optional<T> walk(Walk<T> walk) throws IOException {
    try (var open = source.open().orElse(null)) {
      return open == null ? Optional.empty() : Optional.of(walk.over(new TaskTree(open)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The content of a file, which no process may change while it is read. */
  public ObjectStore.Content open(StoredFile file) {
    return new FileContent(source, file.place(), file.size());
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
