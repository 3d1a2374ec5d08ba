package dev.mayfly.agent.os;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The folder that an agent keeps everything in: {@code attempts/}, one private folder each, and
 * {@code code/}. One agent at a time.
 */
public final class WorkDir implements AutoCloseable {
  private final Path root;
  private final FileChannel lockFile;
  private final AtomicLong opened = new AtomicLong();

  private WorkDir(Path root, FileChannel lockFile) {
    this.root = root;
    this.lockFile = lockFile;
  }

  /**
   * Opens the folder, made if need be, and takes it for this process. Call {@link #clean} once
   * nothing of an earlier incarnation runs in it.
   */
  public static WorkDir open(Path root) throws IOException {
    Trees.makeAll(root);
    Trees.makeAll(root.resolve("attempts"));
    Trees.makeAll(root.resolve("code"));
    var file =
        FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock(file) == null) {
      file.close();
      throw new IOException(
          root + " is used by another agent; stop that one, or give this one a mayfly-work-dir");
    }
    return new WorkDir(root, file);
  }

  private static @Nullable FileLock lock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  public Path root() {
    return root;
  }

  Path code() {
    return root.resolve("code");
  }

  /** Deletes what an earlier incarnation left of its attempts. Whole code folders stay. */
  public void clean() throws IOException {
    try (var old = Files.newDirectoryStream(root.resolve("attempts"))) {
      for (var folder : old) {
        Trees.delete(folder);
      }
    }
    try (var half = Files.newDirectoryStream(code(), ".*")) {
      for (var folder : half) {
        Trees.delete(folder);
      }
    }
  }

  /** Makes a new private folder for an attempt. */
  public AttemptDir attempt() throws IOException {
    var folder = root.resolve("attempts").resolve(Long.toString(opened.incrementAndGet()));
    Trees.make(folder);
    return new AttemptDir(folder, Trees.make(folder.resolve("work")));
  }

  /** Bytes that may still be written on its disk. */
  public long free() throws IOException {
    return Files.getFileStore(root).getUsableSpace();
  }

  @Override
  public void close() throws IOException {
    lockFile.close();
  }
}
