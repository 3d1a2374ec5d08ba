package dev.mayfly.core.reconcile;

import dev.mayfly.core.port.Alarms;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs what waits for the cloud side by side: a call takes a second or more, and a thousand of them
 * in turn would take minutes. The number of calls at once is bounded, because clouds count calls.
 */
public final class CloudCallRunner {
  /**
   * Calls that are under way at once: a thousand machines, each with two calls of a second, take
   * less than a minute.
   */
  static final int LANES = 40;

  private CloudCallRunner() {}

  /**
   * Returns when all have ended. Throws as {@link Alarms#runAll} does; the others ran all the same.
   */
  public static void run(Alarms alarms, List<? extends Runnable> calls) {
    var lanes = new ArrayList<List<Runnable>>();
    for (var i = 0; i < calls.size(); i++) {
      if (i < LANES) lanes.add(new ArrayList<>());
      lanes.get(i % LANES).add(calls.get(i));
    }
    alarms.runAll(lanes.stream().<Runnable>map(lane -> () -> Alarms.runInTurn(lane)).toList());
  }
}
