package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.message.Trigger;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a reconcile must read.
 *
 * @param tick whether to repair also what only a lost message could have missed
 * @param whole whether to read everything of the cluster; otherwise only what is named, and the
 *     rest is cached state
 * @param workers by name
 * @param jobs by uid
 */
record ReconcileRequest(boolean tick, boolean whole, Set<String> workers, Set<String> jobs) {
  static final ReconcileRequest TICK = new ReconcileRequest(true, true, Set.of(), Set.of());
  static final ReconcileRequest WHOLE = new ReconcileRequest(false, true, Set.of(), Set.of());

  ReconcileRequest {
    workers = Set.copyOf(workers);
    jobs = Set.copyOf(jobs);
  }

  ReconcileRequest merge(ReconcileRequest other) {
    return new ReconcileRequest(
        tick || other.tick,
        whole || other.whole,
        both(workers, other.workers),
        both(jobs, other.jobs));
  }

  /** The same without the tick's repairs, which are done. */
  ReconcileRequest withoutTick() {
    return new ReconcileRequest(false, whole, workers, jobs);
  }

  private static Set<String> both(Set<String> some, Set<String> others) {
    var all = new TreeSet<>(some);
    all.addAll(others);
    return all;
  }

  static ReconcileRequest of(Trigger.Reconcile trigger) {
    if (trigger.workers().isEmpty() && trigger.jobs().isEmpty()) return WHOLE;
    return new ReconcileRequest(
        false, false, Set.copyOf(trigger.workers()), Set.copyOf(trigger.jobs()));
  }

  Trigger trigger(String cluster) {
    return whole
        ? new Trigger.Reconcile(cluster)
        : new Trigger.Reconcile(
            cluster, workers.stream().sorted().toList(), jobs.stream().sorted().toList());
  }
}
