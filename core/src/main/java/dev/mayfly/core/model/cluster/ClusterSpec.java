package dev.mayfly.core.model.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a user asks of a cluster: pools that share a bucket, an environment and a name.
 *
 * @param name a label for people; identity is the cluster's uid
 * @param bucket where the cluster's own objects are, for example {@code gs://lab-us-central2}
 * @param env environment variables of every task
 * @param secrets environment variables whose values every task's start reads from Secret Manager:
 *     {@code name/version} or {@code name/latest}
 * @param image the container that tasks run in; without one they run on the machine itself
 * @param registries by host, the secret with the login ({@code user:password}) of a registry that
 *     the machines' service account has no right in
 * @param mounts file systems that every machine has
 * @param rollout how workers are replaced that cannot follow a change
 * @param outputPrefixes where jobs may write beside the cluster's bucket: buckets, or places in
 *     them
 * @param owner who says that they own it; it is claimed, not proved
 * @param allows what its jobs may ask for
 * @param budget what its machines may cost; without one, what its pools' maxima allow
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

  /** A cluster without a budget. */
  public ClusterSpec(
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
      List<String> outputPrefixes) {
    this(
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
        Optional.empty());
  }

  /** A cluster whose tasks may do what every task may and write into its bucket alone. */
  public ClusterSpec(
      String name,
      String bucket,
      Map<String, String> env,
      List<PoolSpec> pools,
      Optional<String> owner,
      Map<String, String> secrets,
      Optional<String> image,
      Map<String, String> registries,
      List<Mount> mounts,
      RolloutSpec rollout) {
    this(
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
        TaskPrivileges.NONE,
        List.of());
  }

  /** A cluster whose workers are replaced as they usually are. */
  public ClusterSpec(
      String name,
      String bucket,
      Map<String, String> env,
      List<PoolSpec> pools,
      Optional<String> owner,
      Map<String, String> secrets,
      Optional<String> image,
      List<Mount> mounts) {
    this(name, bucket, env, pools, owner, secrets, image, Map.of(), mounts, RolloutSpec.DEFAULT);
  }

  /** A cluster whose tasks run on the machines as they are. */
  public ClusterSpec(
      String name,
      String bucket,
      Map<String, String> env,
      List<PoolSpec> pools,
      Optional<String> owner) {
    this(name, bucket, env, pools, owner, Map.of(), Optional.empty(), List.of());
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

  /** The same within that budget. */
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

  /** What a machine prepares before its first task, as attributes of the machine. */
  public Map<String, String> preparationMetadata() {
    var all = new LinkedHashMap<String, String>();
    image.ifPresent(i -> all.put("mayfly-image", i));
    if (image.isPresent() && !registries.isEmpty())
      all.put("mayfly-registries", ContainerRegistries.text(registries));
    if (!mounts.isEmpty()) all.put("mayfly-mounts", Mount.text(mounts));
    return all;
  }
}
