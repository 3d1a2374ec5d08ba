package dev.mayfly.agent.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The disk that attempts work on: whether there is room on it. */
public final class DiskHealth {
  /** With less, tasks fail in ways of their own that nobody takes for a full disk. */
  private static final long LEAST_FREE = 256L << 20;

  /** How many bytes may still be written. */
  public interface Free {
    long bytes() throws IOException;
  }

  private final Path root;
  private final Free free;

  public DiskHealth(WorkDir workDir) {
    this(workDir.root(), workDir::free);
  }

  /**
   * @param root a folder on it
   */
  public DiskHealth(Path root, Free free) {
    this.root = root;
    this.free = free;
  }

  /** What is wrong with it, for people to read; empty while there is room. */
  public Optional<String> problem() {
    try {
      var bytes = free.bytes();
      return bytes >= LEAST_FREE
          ? Optional.empty()
          : Optional.of("disk full: %d MiB free under %s".formatted(bytes >> 20, root));
    } catch (IOException e) {
      return Optional.of("disk broken: " + e.getMessage());
    }
  }
}
