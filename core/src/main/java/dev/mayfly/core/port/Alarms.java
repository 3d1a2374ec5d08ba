package dev.mayfly.core.port;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Calls back later. Alarms do not survive their process: nothing may depend on one. */
public interface Alarms {
  void callAt(Instant when, Runnable task);

  /**
   * Waits inside the call until then, in a process that has no time between its calls; true when it
   * is then. Elsewhere false, at once: alarms ring there.
   */
  default boolean waitUntil(Instant when) {
    return false;
  }

  /**
   * Runs all of them and returns when all have ended: one after another, or side by side where
   * there are threads. Throws what the first of them threw that failed; the others ran all the
   * same.
   */
  default void runAll(List<? extends Runnable> tasks) {
    runInTurn(tasks);
  }

  /** Runs all of them one after another, and throws as {@link #runAll} does. */
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
