package dev.mayfly.agent.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Checks free space on the disk that attempts use. */
public final class DiskHealth {
  /** With less, tasks fail in ways that do not look like a full disk. */
  private static final long LEAST_FREE = 256L << 20;

  /** The number of bytes that can still be written. */
  public interface Free {
    long bytes() throws IOException;
  }

  private final Path root;
  private final Free free;

  public DiskHealth(WorkDir workDir) {
    this(workDir.root(), workDir::free);
  }

  /**
   * @param root a folder on the disk
   */
  public DiskHealth(Path root, Free free) {
    this.root = root;
    this.free = free;
  }

  /** What is wrong with the disk, for users to read; empty if nothing is. */
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
