package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.LeasePreemptionRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts each owner's running tasks.
 *
 * <p><b>Goals:</b> owners of one priority run as many tasks as their shares are; within an owner,
 * the oldest job goes first. The balance is reached as tasks end; no task is killed for it. {@link
 * FairShareSelector} assigns free slots; {@code LeasePreemptionPlanner} rebalances long leases.
 */
public final class FairShare {
  private FairShare() {}

  /** The rows with their running tasks, where owners share a priority. */
  public static List<JobQueue.Row> withCounts(List<JobQueue.Row> rows, List<Worker> workers) {
    var slots = LeasePreemptionRules.slots(workers);
    return FairShareSelector.byPriority(rows).stream()
        .flatMap(band -> {
          var shared = FairShareSelector.hasSeveralOwners(band);
          return band.stream()
              .map(r -> r.withRunning(shared ? slots.getOrDefault(r.job(), 0L) : 0));
        })
        .toList();
  }

  /** The rows with the counts of {@code before}. */
  public static List<JobQueue.Row> withPreviousCounts(
      List<JobQueue.Row> rows, List<JobQueue.Row> before) {
    var running = new HashMap<String, Long>();
    before.forEach(r -> running.put(r.job(), r.running()));
    return rows.stream().map(r -> r.withRunning(running.getOrDefault(r.job(), 0L))).toList();
  }

  /** By name, how many tasks each owner of these jobs runs. */
  public static Map<String, Long> runningByOwner(List<JobQueue.Row> band, List<Worker> workers) {
    var slots = LeasePreemptionRules.slots(workers);
    var owners = new TreeMap<String, Long>();
    for (var row : band) owners.merge(row.owner(), slots.getOrDefault(row.job(), 0L), Long::sum);
    return owners;
  }
}
