package dev.mayfly.gcs.files;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Held while a file is compared and then replaced or deleted, which a file system cannot do
 * atomically. It excludes all processes that share the folder, including those on other machines.
 * The system releases it when its holder dies. Creations need no lock, because they never replace a
 * file.
 *
 * <p>The hidden file is never deleted: otherwise two processes could hold the lock, one on the old
 * file and one on the new.
 */
public final class FolderLock implements AutoCloseable {
  private static final String FILE = ObjectFile.RESERVED + "lock";

  /** File locks exclude other processes only, not threads of the same process. */
  private static final ReentrantLock[] THREADS =
      Stream.generate(ReentrantLock::new).limit(64).toArray(ReentrantLock[]::new);

  private final ReentrantLock thread;
  private final FileChannel channel;

  private FolderLock(ReentrantLock thread, FileChannel channel) {
    this.thread = thread;
    this.channel = channel;
  }

  /** Waits for the lock. Throws {@link java.nio.file.NoSuchFileException} if there is no folder. */
  public static FolderLock of(ObjectFile place) throws IOException {
    // Two paths may lead to the same folder.
    var folder = place.folder().toRealPath();
    var thread = THREADS[Math.floorMod(folder.hashCode(), THREADS.length)];
    thread.lock();
    try {
      return new FolderLock(thread, locked(folder.resolve(FILE)));
    } catch (IOException | RuntimeException e) {
      thread.unlock();
      throw e;
    }
  }

  private static FileChannel locked(Path file) throws IOException {
    var channel = FileChannel.open(file, CREATE, WRITE);
    try {
      channel.lock();
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      thread.unlock();
    }
  }
}
