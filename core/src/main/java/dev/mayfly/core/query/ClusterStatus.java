package dev.mayfly.core.query;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A cluster as people look at it.
 *
 * @param workers how many there are in each state
 * @param used what tasks hold of {@code total}
 * @param jobs that have not ended
 * @param troubles what is wrong now, a sentence each
 */
public record ClusterStatus(
    String name,
    String uid,
    String phase,
    long generation,
    Instant createdAt,
    ClusterSpec spec,
    Map<String, Integer> workers,
    List<PoolView> pools,
    Resources used,
    Resources total,
    int jobs,
    List<String> troubles) {
  /**
   * @param live launching, booting or ready
   */
  public record PoolView(
      String name, String machineType, String provisioning, int live, int min, int max) {}
}
