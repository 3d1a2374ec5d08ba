package dev.mayfly.core.model.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The user's specification of a cluster: pools that share a bucket, an environment and a name.
 *
 * @param name a label for people; identity is the cluster's uid
 * @param bucket of the cluster's own objects, for example {@code gs://lab-us-central2}
 * @param env environment variables of every task
 * @param secrets environment variables whose values are read from Secret Manager at every task's
 *     start: {@code name/version} or {@code name/latest}
 * @param image the container that tasks run in; without one they run on the machine itself
 * @param registries by host, the secret with the login ({@code user:password}) of a registry that
 *     the machines' service account cannot access
 * @param mounts file systems that every machine has
 * @param rollout how workers are replaced that cannot follow a change
 * @param outputPrefixes where jobs may write besides the cluster's bucket: buckets, or places in
 *     them
 * @param owner claimed by the publisher, not proved
 * @param allows the rights that its jobs may request
 * @param budget the hourly cost limit; without one, only the pools' maxima limit the cost
 */
public record ClusterSpec(
    String name,
    String bucket,
    Map<String, String> env,
    List<PoolSpec> pools,
    Optional<String> owner,
    Map<String, String> secrets,
    Optional<String> image,
    Map<String, String> registries,
    List<Mount> mounts,
    RolloutSpec rollout,
    TaskPrivileges allows,
    List<String> outputPrefixes,
    Optional<HourlyBudget> budget) {
  public ClusterSpec {
    env = Map.copyOf(env);
    pools = List.copyOf(pools);
    secrets = Map.copyOf(secrets);
    registries = Map.copyOf(registries);
    mounts = List.copyOf(mounts);
    outputPrefixes = List.copyOf(outputPrefixes);
  }

  /** A cluster whose tasks run on the machines themselves. */
  public ClusterSpec(
      String name,
      String bucket,
      Map<String, String> env,
      List<PoolSpec> pools,
      Optional<String> owner) {
    this(
        name,
        bucket,
        env,
        pools,
        owner,
        Map.of(),
        Optional.empty(),
        Map.of(),
        List.of(),
        RolloutSpec.DEFAULT,
        TaskPrivileges.NONE,
        List.of(),
        Optional.empty());
  }

  public Optional<PoolSpec> pool(String pool) {
    return pools.stream().filter(p -> p.name().equals(pool)).findFirst();
  }

  public ClusterSpec with(List<PoolSpec> other) {
    return new ClusterSpec(
        name,
        bucket,
        env,
        other,
        owner,
        secrets,
        image,
        registries,
        mounts,
        rollout,
        allows,
        outputPrefixes,
        budget);
  }

  public ClusterSpec withBudget(HourlyBudget limit) {
    return new ClusterSpec(
        name,
        bucket,
        env,
        pools,
        owner,
        secrets,
        image,
        registries,
        mounts,
        rollout,
        allows,
        outputPrefixes,
        Optional.of(limit));
  }

  /** What a machine prepares before its first task, as metadata of the machine. */
  public Map<String, String> preparationMetadata() {
    var all = new LinkedHashMap<String, String>();
    image.ifPresent(i -> all.put("mayfly-image", i));
    if (image.isPresent() && !registries.isEmpty())
      all.put("mayfly-registries", ContainerRegistries.text(registries));
    if (!mounts.isEmpty()) all.put("mayfly-mounts", Mount.text(mounts));
    return all;
  }
}
