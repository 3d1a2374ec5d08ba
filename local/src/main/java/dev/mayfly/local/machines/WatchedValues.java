package dev.mayfly.local.machines;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Values by path, with waits for changes. */
final class WatchedValues {
  private final Map<String, String> values;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  WatchedValues(Map<String, String> first) {
    values = new HashMap<>(first);
  }

  Optional<String> get(String path) {
    lock.lock();
    try {
      return Optional.ofNullable(values.get(path));
    } finally {
      lock.unlock();
    }
  }

  void put(String path, String value) {
    lock.lock();
    try {
      values.put(path, value);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the value's tag is not {@code tag}.
   *
   * @return the value then, or at the timeout
   */
  Optional<String> awaitChange(String path, String tag, Duration atMost)
      throws InterruptedException {
    var left = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (left > 0 && values.containsKey(path) && tag(values.get(path)).equals(tag)) {
        left = changed.awaitNanos(left);
      }
      return Optional.ofNullable(values.get(path));
    } finally {
      lock.unlock();
    }
  }

  /** The ETag of a value. */
  static String tag(String value) {
    return "%08x".formatted(value.hashCode());
  }
}
