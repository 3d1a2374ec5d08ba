package dev.mayfly.core.plan;

import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.plan.model.JobDemand;
import java.util.HashMap;
import java.util.List;

/**
 * Limits what the jobs of one owner demand together to what the owner may still run.
 *
 * <p><b>Must:</b> jobs of an owner with a limit demand no more machines than their tasks may use.
 *
 * <p><b>Goals:</b> the first jobs in the queue demand first.
 */
final class OwnerLimit {
  private OwnerLimit() {}

  /**
   * @param demands in the order of the queue
   */
  static List<JobDemand> limited(List<JobDemand> demands, ClusterLimits limits) {
    if (limits.equals(ClusterLimits.NONE)) return demands;
    var left = new HashMap<String, Long>();
    for (var demand : demands) {
      var owner = demand.standing().owner();
      limits.of(owner).ifPresent(most -> left.putIfAbsent(owner, most));
      left.computeIfPresent(owner, (_, n) -> n - demand.leased());
    }
    return demands.stream().map(demand -> limited(demand, left)).toList();
  }

  private static JobDemand limited(JobDemand demand, HashMap<String, Long> left) {
    var owner = demand.standing().owner();
    if (!left.containsKey(owner)) return demand;
    var ready = Math.min(demand.ready(), Math.max(0, left.get(owner)));
    left.merge(owner, -ready, Long::sum);
    return demand.withReady(ready);
  }
}
