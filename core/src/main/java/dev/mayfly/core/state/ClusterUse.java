package dev.mayfly.core.state;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.plan.model.UnusedCluster;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records when a cluster that keeps machines warm is used. That is exact to minutes for messages,
 * and to an hour for jobs, so that both cost few writes; clusters without warm machines cost none.
 */
public final class ClusterUse {
  private static final Duration MESSAGES = Duration.ofMinutes(5);
  private static final Duration JOBS = Duration.ofHours(1);
  private static final int MOST = 10_000;

  private final Context context;

  /** When this process looked at the cluster of that name for a message. */
  private final Map<String, Instant> looked = new ConcurrentHashMap<>();

  public ClusterUse(Context context) {
    this.context = context;
  }

  /**
   * A message about the cluster has arrived, whatever became of it. True if the cluster keeps
   * machines warm, which may have to come back; a repeat within minutes is not looked at.
   */
  public boolean message(String name) {
    var now = context.clock().instant();
    if (looked.getOrDefault(name, Instant.EPOCH).isAfter(now.minus(MESSAGES))) return false;
    var cluster = ClusterLookup.find(context.ledger(), name).filter(ClusterUse::isWarm);
    cluster.ifPresent(
        it -> Transactions.retry("cluster " + name, () -> stored(it.uid(), now, MESSAGES)));
    if (looked.size() > MOST) looked.clear();
    looked.put(name, now);
    return cluster.isPresent();
  }

  /**
   * A tick looks at the cluster. One of which nothing is known is used now; the next tick repeats
   * what another process prevented.
   *
   * @param live whether there are jobs that have not ended
   */
  public void seen(Cluster cluster, boolean live) {
    if (cluster.usedAt().isPresent() && !live) return;
    var now = context.clock().instant();
    if (isNews(cluster, now, JOBS)) stored(cluster.uid(), now, JOBS);
  }

  private boolean stored(String uid, Instant now, Duration exact) {
    var stored = context.ledger().read(new DocumentKey.OfCluster(uid));
    if (stored.isEmpty() || !isNews(stored.get().value(), now, exact)) return true;
    var next = stored.get().value().withUsedAt(now);
    return context
        .ledger()
        .commit(List.of(new LedgerWrite.Update(next, stored.get().version())))
        .done();
  }

  private static boolean isWarm(Cluster cluster) {
    return cluster.phase() == Cluster.Phase.UP && !UnusedCluster.warm(cluster).isEmpty();
  }

  private static boolean isNews(Cluster cluster, Instant now, Duration exact) {
    return isWarm(cluster)
        && UnusedCluster.of(cluster)
            .map(UnusedCluster::usedAt)
            .or(cluster::usedAt)
            .filter(at -> at.isAfter(now.minus(exact)))
            .isEmpty();
  }
}
