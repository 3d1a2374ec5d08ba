package dev.mayfly.core.plan.share;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.JobQueue;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts what owners run, for what they ran lately. */
public final class OwnerUseCount {
  private OwnerUseCount() {}

  /**
   * What is stored after a look at all workers: the same as before while everybody runs what they
   * ran then, because that is a count of every later moment too. Empty without a half-life.
   *
   * @param before as it is stored
   * @param rows the jobs of the queue
   * @param tasks by job, how many run
   */
  public static Optional<List<JobQueue.OwnerUse>> after(
      ClusterSpec cluster,
      Optional<List<JobQueue.OwnerUse>> before,
      List<JobQueue.Row> rows,
      Map<String, Long> tasks,
      Instant now) {
    var halfLife = cluster.limit().shares().halfLife();
    if (halfLife.isEmpty()) return Optional.empty();
    var rule = FairShareRule.of(cluster, List.of(), now);
    var running = new HashMap<String, Double>();
    for (var row : rows) {
      var runs = tasks.getOrDefault(row.job(), 0L);
      if (runs > 0) running.merge(row.owner(), runs * rule.part(row), Double::sum);
    }
    var stored = before.orElse(List.of());
    var known = new HashMap<String, Double>();
    for (var use : stored) if (use.running() > 0) known.put(use.owner(), use.running());
    return known.equals(running)
        ? before
        : Optional.of(PastUse.counted(stored, running, halfLife.get(), now));
  }
}
