package dev.mayfly.gcs.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file's identity: inode, modification time and size. Its {@link #generation} identifies the
 * content.
 */
public record FileIdentity(long inode, long modified, long size) {
  private static final AtomicLong LAST = new AtomicLong();

  /** Empty unless the path is a regular file. */
  public static Optional<FileIdentity> of(Path file) throws IOException {
    try {
      var seen = Files.readAttributes(file, "unix:ino,size,lastModifiedTime,isRegularFile");
      if (!(Boolean) of(seen, "isRegularFile")) return Optional.empty();
      var modified = ((FileTime) of(seen, "lastModifiedTime")).to(TimeUnit.NANOSECONDS);
      return Optional.of(
          new FileIdentity((Long) of(seen, "ino"), modified, (Long) of(seen, "size")));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (java.nio.file.FileSystemException e) {
      if ("Not a directory".equals(e.getReason())) return Optional.empty();
      throw e;
    }
  }

  private static Object of(Map<String, Object> seen, String name) {
    return Objects.requireNonNull(seen.get(name), name);
  }

  /**
   * Gives a finished file a unique modification time. The system's own timestamps are milliseconds
   * apart, so an immediately reused inode would look like the previous file.
   */
  static void makeUnique(Path file, Instant now) throws IOException {
    var wall = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    var unique = LAST.updateAndGet(last -> Math.max(wall, last + 1));
    Files.setLastModifiedTime(file, FileTime.from(unique, TimeUnit.NANOSECONDS));
  }

  /** Positive; equal for equal identities. */
  public long generation() {
    var mixed = mix(mix(mix(inode) ^ modified) ^ size) >>> 1;
    return mixed == 0 ? 1 : mixed;
  }

  Instant updated() {
    return Instant.ofEpochSecond(0, modified);
  }

  /** The finalizer of SplitMix64: each input bit flips half of the output bits on average. */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
