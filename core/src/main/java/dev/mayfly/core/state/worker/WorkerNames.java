package dev.mayfly.core.state.worker;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The names of cloud workers. A name tells its pool, even if the document is unreadable. */
public final class WorkerNames {
  /** Length of the part unique to a machine of the pool. */
  public static final int OWN = 6;

  private static final int CLUSTER = 20;
  private static final int POOL = 30;

  private WorkerNames() {}

  public static String of(Cluster cluster, PoolSpec pool, String own) {
    return begin(cluster, pool) + own;
  }

  private static String begin(Cluster cluster, PoolSpec pool) {
    return cut(cluster.prefix(), CLUSTER) + "-" + cut(pool.name(), POOL) + "-";
  }

  private static String cut(String name, int most) {
    var cut = name.substring(0, Math.min(most, name.length()));
    return cut.endsWith("-") ? cut.substring(0, cut.length() - 1) : cut;
  }

  /**
   * Number of unreadable workers per pool. A worker that may be of two pools counts in both; static
   * workers have names of their own and count in none.
   */
  public static Map<String, Integer> pools(
      Cluster cluster, Collection<UnreadableDocument> workers) {
    var pools = new HashMap<String, Integer>();
    for (var pool : cluster.spec().pools())
      for (var worker : workers)
        if (isOf(worker.id(), begin(cluster, pool))) pools.merge(pool.name(), 1, Integer::sum);
    return pools;
  }

  /** Number of unreadable workers that may be static. */
  public static long own(Cluster cluster, Collection<UnreadableDocument> workers) {
    return workers.stream()
        .filter(
            w -> cluster.spec().pools().stream().noneMatch(p -> isOf(w.id(), begin(cluster, p))))
        .count();
  }

  /** Whether a worker may be one of a pool, by its name; a static one has a name of its own. */
  public static boolean isOfPool(Cluster cluster, String pool, String worker) {
    return cluster.spec().pool(pool).filter(it -> isOf(worker, begin(cluster, it))).isPresent();
  }

  private static boolean isOf(String name, String begin) {
    return name.startsWith(begin)
        && name.length() == begin.length() + OWN
        && name.indexOf('-', begin.length()) < 0;
  }
}
