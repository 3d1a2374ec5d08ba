package dev.mayfly.agent.libc;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A folder that is held open, whatever takes its place. What is in it is opened without following a
 * link and without waiting: a task may put a link or a pipe in the place of any of its files,
 * between two calls too, so the type of what was opened counts, not of what was seen before.
 *
 * <p>Thread-safe.
 */
public final class OpenFolder implements Closeable {
  private final int descriptor;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  private OpenFolder(int descriptor) {
    this.descriptor = descriptor;
  }

  /** Something that is done in the folder, by a path that leads to it and to no other. */
  public interface Use<T> {
    T in(Path folder) throws IOException;
  }

  /**
   * @param folder must not be replaceable by a task while it is opened
   */
  public static OpenFolder at(Path folder) throws IOException {
    return new OpenFolder(OpenCalls.folder(OpenCalls.HERE, folder.toAbsolutePath(), true));
  }

  /** Opens a subfolder. Throws for anything else, including a link to a folder. */
  public OpenFolder folder(Path name) throws IOException {
    return held(() -> new OpenFolder(OpenCalls.folder(descriptor, name, false)));
  }

  /**
   * Opens a regular file for reading; empty if there is none of that name. The channel's size is
   * that of the opened file.
   */
  public Optional<FileChannel> file(Path name) throws IOException {
    return held(() -> regular(OpenCalls.file(descriptor, name)));
  }

  /** As {@link #file(Path)}, for a file in a folder that no task can replace. */
  public static Optional<FileChannel> fileAt(Path path) throws IOException {
    return regular(OpenCalls.file(OpenCalls.HERE, path.toAbsolutePath()));
  }

  /** Opens the same file once more, as a channel, if it is one that can be read to its end. */
  private static Optional<FileChannel> regular(int opened) throws IOException {
    if (opened < 0) return Optional.empty();
    try {
      var same = path(opened);
      if (!Files.isRegularFile(same)) return Optional.empty();
      return Optional.of(FileChannel.open(same, StandardOpenOption.READ));
    } finally {
      OpenCalls.close(opened);
    }
  }

  /** Names what is open, not a place, so it leads to the same thing wherever that was moved. */
  private static Path path(int descriptor) {
    return Path.of("/proc/self/fd", Integer.toString(descriptor));
  }

  /** Does something in the folder; the path is valid meanwhile. */
  public <T> T use(Use<T> use) throws IOException {
    return held(() -> use.in(path(descriptor)));
  }

  private interface Step<T> {
    T go() throws IOException;
  }

  /** After its closing, a descriptor's number may be another file's. */
  private <T> T held(Step<T> step) throws IOException {
    lock.readLock().lock();
    try {
      if (closed) throw new ClosedFileSystemException();
      return step.go();
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (!closed) OpenCalls.close(descriptor);
      closed = true;
    } finally {
      lock.writeLock().unlock();
    }
  }
}
