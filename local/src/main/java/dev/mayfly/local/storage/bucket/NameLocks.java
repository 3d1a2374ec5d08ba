package dev.mayfly.local.storage.bucket;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/** Serializes changes of one name; changes of different names run concurrently. */
final class NameLocks {
  private static final int MAX_TRIES = 20;

  private final ReentrantLock[] stripes =
      Stream.generate(ReentrantLock::new).limit(256).toArray(ReentrantLock[]::new);

  /** Held for writing while an object is moved aside for another. */
  private final ReentrantReadWriteLock moves = new ReentrantReadWriteLock();

  /** An action on files. */
  interface Action<T> {
    T run() throws IOException;
  }

  /** Clears the path of a name. */
  interface ClearingAction {
    void clear(String name) throws IOException;
  }

  <T> T withLock(String name, Action<T> action) throws IOException {
    var stripe = stripes[Math.floorMod(name.hashCode(), stripes.length)];
    moves.readLock().lock();
    try {
      stripe.lock();
      try {
        return action.run();
      } finally {
        stripe.unlock();
      }
    } finally {
      moves.readLock().unlock();
    }
  }

  /**
   * As above, for an action that names a file. If files or folders are in its way, or a folder has
   * just disappeared, clears the path and retries.
   */
  <T> T withLockAndRetry(String name, Action<T> action, ClearingAction clearingAction)
      throws IOException {
    for (var tries = 1; ; tries++) {
      try {
        return withLock(name, action);
      } catch (FileSystemException e) {
        if (tries == MAX_TRIES) throw e;
        clear(name, clearingAction);
      }
    }
  }

  private void clear(String name, ClearingAction clearingAction) throws IOException {
    moves.writeLock().lock();
    try {
      clearingAction.clear(name);
    } finally {
      moves.writeLock().unlock();
    }
  }
}
