package dev.mayfly.agent.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Checks free space on the disk that attempts use. */
public final class DiskHealth {
  /** With less, tasks fail in ways that do not look like a full disk. */
  private static final long LEAST_FREE = 256L << 20;

  /** With less free, what outlives tasks is deleted: a tenth of the disk, at most so many bytes. */
  private static final long SHORT = 10L << 30;

  /** The number of bytes that can still be written. */
  public interface Free {
    long bytes() throws IOException;
  }

  private final Path root;
  private final Free free;
  private final Free size;

  public DiskHealth(WorkDir workDir) {
    this(workDir.root(), workDir::free, workDir::size);
  }

  /**
   * @param root a folder on the disk
   * @param size all bytes of the disk, used or free
   */
  public DiskHealth(Path root, Free free, Free size) {
    this.root = root;
    this.free = free;
    this.size = size;
  }

  /** Whether what outlives tasks should make room: under a tenth is free, and under 10 GiB. */
  boolean isShort() throws IOException {
    return free.bytes() < shortage();
  }

  /** Whether enough was deleted: twice of what {@link #isShort} asks is free. */
  boolean isRelieved() throws IOException {
    return free.bytes() >= 2 * shortage();
  }

  private long shortage() throws IOException {
    return Math.min(SHORT, size.bytes() / 10);
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
