package dev.mayfly.core.reconcile;

import dev.mayfly.core.plan.model.Plan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Fills in the names of workers that a plan launches for a job, which exist only once the workers
 * are stored. So the workers are kept for the job from their first report on.
 */
final class KeptWorkerNames {
  /** Names that fit into the queue document, in queue order: about 200 KB. */
  private static final int MAX_NAMES = 4_000;

  private KeptWorkerNames() {}

  /** The same with the workers stored for them; none is kept for two jobs. */
  static List<Plan.Keep> named(List<Plan.Keep> keeps, List<MachineLauncher.Intent> intents) {
    var given = new HashSet<String>();
    var named = new ArrayList<Plan.Keep>();
    var left = MAX_NAMES;
    for (var keep : keeps) {
      var workers = new ArrayList<>(keep.workers());
      for (var launched : keep.launched())
        intents.stream()
            .map(i -> i.worker().value())
            .filter(w -> w.pool().equals(launched.pool()) && w.zone().equals(launched.zone()))
            .filter(w -> !given.contains(w.name()))
            .limit(launched.count())
            .toList()
            .forEach(w -> {
              workers.add(w.name());
              given.add(w.name());
            });
      left -= workers.size();
      if (left < 0) break;
      named.add(new Plan.Keep(keep.job(), workers, List.of(), keep.until()));
    }
    return named;
  }
}
