package dev.mayfly.local.storage.bucket;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/** Changes of one name happen one after another; those of different names together. */
final class NameLocks {
  private static final int TRIES = 20;

  private final ReentrantLock[] stripes =
      Stream.generate(ReentrantLock::new).limit(256).toArray(ReentrantLock[]::new);

  /** Held for writing while one object is moved out of the way of another. */
  private final ReentrantReadWriteLock moves = new ReentrantReadWriteLock();

  /** Does something that may fail as files do. */
  interface Action<T> {
    T run() throws IOException;
  }

  /** Makes way for a name, if something is in it. */
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
   * The same for an action that gives a file its name: files and folders may be in its way, or a
   * folder may be gone that was there a moment ago. Then way is made, and it is done again.
   */
  <T> T withLockAndRetry(String name, Action<T> action, ClearingAction clearingAction)
      throws IOException {
    for (var tries = 1; ; tries++) {
      try {
        return withLock(name, action);
      } catch (FileSystemException e) {
        if (tries == TRIES) throw e;
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
