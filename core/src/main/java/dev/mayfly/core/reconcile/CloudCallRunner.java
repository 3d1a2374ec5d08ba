package dev.mayfly.core.reconcile;

import dev.mayfly.core.port.ScheduledExecutor;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs cloud calls in parallel: a call takes a second or more, so a thousand in sequence would take
 * minutes. The number of concurrent calls is bounded because clouds limit call rates.
 */
public final class CloudCallRunner {
  /**
   * Concurrent calls: a thousand machines with two calls of a second each take less than a minute.
   */
  static final int LANES = 40;

  private CloudCallRunner() {}

  /**
   * Returns when all have ended. Throws as {@link ScheduledExecutor#runAll} does, after running the
   * others.
   */
  public static void run(ScheduledExecutor executor, List<? extends Runnable> calls) {
    var lanes = new ArrayList<List<Runnable>>();
    for (var i = 0; i < calls.size(); i++) {
      if (i < LANES) lanes.add(new ArrayList<>());
      lanes.get(i % LANES).add(calls.get(i));
    }
    executor.runAll(
        lanes.stream().<Runnable>map(lane -> () -> ScheduledExecutor.runInTurn(lane)).toList());
  }
}
