package dev.mayfly.core.plan.share;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.JobQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How owners share a cluster now.
 *
 * @param halfLife after which half of what they used is forgotten; empty if it does not count
 * @param owners who have jobs, or used something lately, by name
 * @param text the same for people
 */
public record Sharing(Optional<Duration> halfLife, List<OwnerShare> owners, String text) {
  public Sharing {
    owners = List.copyOf(owners);
  }

  /**
   * Of a cluster; empty if there is nobody to share with.
   *
   * @param rows its jobs
   * @param uses as they were counted last
   * @param tasks by job, how many run
   */
  public static Optional<Sharing> of(
      ClusterSpec cluster,
      List<JobQueue.Row> rows,
      List<JobQueue.OwnerUse> uses,
      Map<String, Long> tasks,
      Instant now) {
    var rule = FairShareRule.of(cluster, uses, now);
    var count = new ShareCount(rule);
    if (rule.remembers()) uses.forEach(use -> count.add(use.owner(), 0, 1));
    for (var row : rows) count.add(row.owner(), tasks.getOrDefault(row.job(), 0L), rule.part(row));
    var owners = count.shares();
    var halfLife = cluster.limit().shares().halfLife();
    return owners.size() < (rule.remembers() ? 1 : 2)
        ? Optional.empty()
        : Optional.of(of(halfLife, owners));
  }

  public static Sharing of(Optional<Duration> halfLife, List<OwnerShare> owners) {
    return new Sharing(halfLife, owners, ShareText.all(owners, halfLife));
  }
}
