package dev.mayfly.core.control;

import dev.mayfly.core.model.Hint;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a round is asked to read.
 *
 * @param tick whether also what only a lost message could have missed
 * @param whole whether everything of the cluster; otherwise what is named, and the rest as it was
 *     read before
 * @param workers by name
 * @param jobs by uid
 */
record LookRequest(boolean tick, boolean whole, Set<String> workers, Set<String> jobs) {
  static final LookRequest TICK = new LookRequest(true, true, Set.of(), Set.of());
  static final LookRequest WHOLE = new LookRequest(false, true, Set.of(), Set.of());

  LookRequest {
    workers = Set.copyOf(workers);
    jobs = Set.copyOf(jobs);
  }

  LookRequest and(LookRequest other) {
    return new LookRequest(
        tick || other.tick,
        whole || other.whole,
        both(workers, other.workers),
        both(jobs, other.jobs));
  }

  /** The same once more; what a lost message could have missed was looked after. */
  LookRequest again() {
    return new LookRequest(false, whole, workers, jobs);
  }

  private static Set<String> both(Set<String> some, Set<String> others) {
    var all = new TreeSet<>(some);
    all.addAll(others);
    return all;
  }

  static LookRequest of(Hint.Look hint) {
    if (hint.workers().isEmpty() && hint.jobs().isEmpty()) return WHOLE;
    return new LookRequest(false, false, Set.copyOf(hint.workers()), Set.copyOf(hint.jobs()));
  }

  Hint hint(String cluster) {
    return whole
        ? new Hint.Look(cluster)
        : new Hint.Look(
            cluster, workers.stream().sorted().toList(), jobs.stream().sorted().toList());
  }
}
