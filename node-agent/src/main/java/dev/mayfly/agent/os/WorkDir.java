package dev.mayfly.agent.os;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The folder that an agent keeps everything in: {@code attempts/}, one private folder each, {@code
 * code/}, and {@code registry/} with the logins of pulls. One agent at a time.
 */
public final class WorkDir implements AutoCloseable {
  private final Path root;
  private final FileChannel lockFile;
  private final AtomicLong opened = new AtomicLong();
  private final Queue<Path> empty = new ConcurrentLinkedQueue<>();

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
    var path = root.resolve("lock");
    var file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock(file) == null) {
      file.close();
      throw new IOException(
          "%s is used by another agent, process %s; stop that one, or give this one a mayfly-work-dir"
              .formatted(root, Files.readString(path).strip()));
    }
    file.truncate(0);
    file.write(StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
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

  /** Deletes what an earlier incarnation left of its attempts and pulls; whole code stays. */
  public void clean() throws IOException {
    Trees.delete(registry(root));
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

  /** Where logins are while images are pulled. */
  public static Path registry(Path root) {
    return root.resolve("registry");
  }

  /** A private and empty folder for an attempt. */
  public AttemptDir attempt() throws IOException {
    var folder = empty.poll();
    if (folder == null) {
      folder = Trees.make(root.resolve("attempts").resolve("" + opened.incrementAndGet()));
      for (var room : AttemptDir.ROOMS) {
        Trees.make(folder.resolve(room));
      }
    }
    return new AttemptDir(folder, folder.resolve("work"), this);
  }

  /**
   * Empties a folder and keeps it for the next attempt: making and deleting five folders costs a
   * short task more than its process does.
   */
  void takeBack(Path folder) throws IOException {
    try (var content = Files.newDirectoryStream(folder)) {
      for (var entry : content) {
        if (!AttemptDir.ROOMS.contains(String.valueOf(entry.getFileName()))) {
          Trees.delete(entry);
        }
      }
    }
    for (var room : AttemptDir.ROOMS) {
      Trees.empty(folder.resolve(room));
    }
    empty.add(folder);
  }

  /** Bytes that may still be written on its disk. */
  public long free() throws IOException {
    return Files.getFileStore(root).getUsableSpace();
  }

  @Override
  public void close() throws IOException {
    for (var folder = empty.poll(); folder != null; folder = empty.poll()) {
      Trees.delete(folder);
    }
    lockFile.close();
  }
}
