package dev.mayfly.core.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a user asks of a cluster: pools that share a bucket, an environment and a name.
 *
 * @param name a label for people; identity is the cluster's uid
 * @param bucket where the cluster's own objects are, for example {@code gs://lab-us-central2}
 * @param env environment variables of every task
 * @param owner who says that they own it; it is claimed, not proved
 */
public record ClusterSpec(
    String name,
    String bucket,
    Map<String, String> env,
    List<PoolSpec> pools,
    Optional<String> owner) {
  public ClusterSpec {
    env = Map.copyOf(env);
    pools = List.copyOf(pools);
  }

  public Optional<PoolSpec> pool(String pool) {
    return pools.stream().filter(p -> p.name().equals(pool)).findFirst();
  }
}
