package dev.mayfly.agent.files;

import dev.mayfly.core.agent.loop.DiskProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks free space on the disk that attempts use. Quotas, and a disk that has no room for another
 * file although it has bytes, show only when a write fails.
 */
public final class DiskHealth {
  /** With less, tasks fail in ways that do not look like a full disk. */
  private static final long LEAST_FREE = 256L << 20;

  /** With less, a program's next write fails. */
  private static final long EXHAUSTED = 1L << 20;

  /** With less free, what outlives tasks is deleted: a tenth of the disk, at most so many bytes. */
  private static final long SHORT = 10L << 30;

  private static final Pattern FULL =
      Pattern.compile("No space left on device|Disk quota exceeded");

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

  /** What is wrong with the disk; empty if nothing is. */
  public Optional<DiskProblem> problem() {
    return lessThan(LEAST_FREE);
  }

  /**
   * Why nothing can be written now; empty if something can. What a program wrote at such a moment
   * may be missing, whatever its exit code says.
   */
  public Optional<DiskProblem> exhausted() {
    return lessThan(EXHAUSTED);
  }

  private Optional<DiskProblem> lessThan(long least) {
    try {
      var bytes = free.bytes();
      return bytes >= least
          ? Optional.empty()
          : Optional.of(
              new DiskProblem.Full("disk full: %d MiB free under %s".formatted(bytes >> 20, root)));
    } catch (IOException e) {
      return Optional.of(new DiskProblem.Broken("disk broken: " + e.getMessage()));
    }
  }

  /** Whether a write failed because the disk, or a quota of it, was full. */
  public static boolean isFull(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause())
      if (FULL.matcher(String.valueOf(cause.getMessage())).find()) return true;
    return false;
  }
}
