package dev.mayfly.core.port;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Runs tasks of this process later, or several at once. What is scheduled does not survive the
 * process, so nothing may depend on it.
 */
public interface ScheduledExecutor {
  void callAt(Instant when, Runnable task);

  /**
   * Waits until {@code when} inside the call, in a process that cannot be called back later.
   * Returns true when that time has come; elsewhere returns false at once, and what is scheduled
   * then runs.
   */
  default boolean waitUntil(Instant when) {
    return false;
  }

  /**
   * Runs all tasks and returns when all have ended: in turn, or in parallel where there are
   * threads. A failed task does not stop the others; the first failure is thrown at the end.
   */
  default void runAll(List<? extends Runnable> tasks) {
    runInTurn(tasks);
  }

  /** Runs the tasks in turn, and throws as {@link #runAll} does. */
  static void runInTurn(List<? extends Runnable> tasks) {
    var failed = Optional.<RuntimeException>empty();
    for (var task : tasks)
      try {
        task.run();
      } catch (RuntimeException e) {
        if (failed.isEmpty()) failed = Optional.of(e);
      }
    failed.ifPresent(e -> {
      throw e;
    });
  }
}
