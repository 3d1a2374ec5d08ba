package dev.mayfly.core.plan;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.model.JobDemand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * When the tasks of several jobs are packed together, and how: those with the fewest places and the
 * largest share of a machine get their machines first, and the others fill the rest (first fit,
 * decreasing). In the order of the queue, many small tasks would take the room that the few large
 * ones behind them need, and machines would be launched for both.
 */
final class Packing {
  private final List<PoolSpec> pools;

  Packing(List<PoolSpec> pools) {
    this.pools = List.copyOf(pools);
  }

  /**
   * The jobs in runs that may be packed together: neighbours in the queue of one priority. A gang
   * takes whole machines at its own place in the queue.
   */
  static List<List<JobDemand>> runs(List<JobDemand> jobs) {
    var runs = new ArrayList<List<JobDemand>>();
    for (var job : jobs) {
      var last = runs.isEmpty() ? null : runs.getLast();
      if (last == null || !mayJoin(last.getLast(), job)) runs.add(last = new ArrayList<>());
      last.add(job);
    }
    return runs;
  }

  private static boolean mayJoin(JobDemand before, JobDemand job) {
    return before.gang() <= 1
        && job.gang() <= 1
        && before.standing().priority() == job.standing().priority();
  }

  /** Whether another order of these requests could need other machines. */
  static boolean matters(List<ResourceRequest> lacking) {
    var needs = new HashSet<Resources>();
    for (var request : lacking) needs.add(request.job().need());
    return needs.size() > 1;
  }

  /** The request with the fewest pools first, then that with the largest share of a machine. */
  List<ResourceRequest> hardestFirst(List<ResourceRequest> requests) {
    return requests.stream()
        .sorted(
            Comparator.comparingInt(this::places)
                .thenComparing(this::share, Comparator.reverseOrder()))
        .toList();
  }

  private int places(ResourceRequest request) {
    return (int) suiting(request).count();
  }

  private double share(ResourceRequest request) {
    return suiting(request)
        .mapToDouble(pool -> request.job().need().dominantShare(pool.visible()))
        .findFirst()
        .orElse(0);
  }

  private Stream<PoolSpec> suiting(ResourceRequest request) {
    var job = request.job();
    return pools.stream().filter(p -> Feasibility.why(job.need(), job.place(), p).isEmpty());
  }

  /** Whether one plan launches fewer machines than another: fewer of a pool, and more of none. */
  static boolean isSmaller(Map<String, Integer> launches, Map<String, Integer> than) {
    return !launches.equals(than)
        && launches.entrySet().stream()
            .allMatch(each -> each.getValue() <= than.getOrDefault(each.getKey(), 0));
  }
}
