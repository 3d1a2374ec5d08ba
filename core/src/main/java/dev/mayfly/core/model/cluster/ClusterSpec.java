package dev.mayfly.core.model.cluster;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
 * @param budget what the machines may cost; without one, only the pools' maxima limit the cost
 * @param setup of jobs that name none
 * @param storage file systems with a name, which pools use; empty if there are none, never an empty
 *     list
 * @param limits what one owner, and one launch, may take; absent without any
 * @param mirrors by region, folders of registries that hold the same images as that of {@code
 *     image}
 * @param notifications where people are notified besides by the topic; absent if nowhere
 * @param unusedAfter for how long nobody may use it before its warm machines end; zero for any
 *     time, absent for {@link #UNUSED_AFTER}
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
    TaskRights allows,
    List<String> outputPrefixes,
    Optional<Budget> budget,
    Optional<SetupSpec> setup,
    Optional<List<StorageSpec>> storage,
    Optional<ClusterLimits> limits,
    Map<String, String> mirrors,
    Optional<NotificationSpec> notifications,
    Optional<Duration> unusedAfter) {
  /** Unless its file says otherwise. */
  public static final Duration UNUSED_AFTER = Duration.ofDays(7);

  public ClusterSpec {
    env = Map.copyOf(env);
    pools = List.copyOf(pools);
    secrets = Map.copyOf(secrets);
    registries = Map.copyOf(registries);
    mounts = List.copyOf(mounts);
    outputPrefixes = List.copyOf(outputPrefixes);
    storage = storage.filter(all -> !all.isEmpty()).map(List::copyOf);
    mirrors = Map.copyOf(mirrors);
  }

  public Optional<PoolSpec> pool(String pool) {
    return pools.stream().filter(p -> p.name().equals(pool)).findFirst();
  }

  /** The first pool of a family; it says what holds for all of them together. */
  public PoolSpec first(String family) {
    return pools.stream().filter(p -> p.family().equals(family)).findFirst().orElseThrow();
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
        budget,
        setup,
        storage,
        limits,
        mirrors,
        notifications,
        unusedAfter);
  }

  /** With another limit by the hour; that by the month stays. */
  public ClusterSpec withBudget(HourlyBudget limit) {
    return withBudget(new Budget(Optional.of(limit.usdPerHour()), limit.prices(), usdPerMonth()));
  }

  public ClusterSpec withBudget(Budget limit) {
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
        Optional.of(limit),
        setup,
        storage,
        limits,
        mirrors,
        notifications,
        unusedAfter);
  }

  public ClusterSpec withLimits(ClusterLimits other) {
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
        budget,
        setup,
        storage,
        Optional.of(other),
        mirrors,
        notifications,
        unusedAfter);
  }

  /** What its machines may cost an hour. */
  public Optional<HourlyBudget> hourlyBudget() {
    return budget.flatMap(Budget::hourly);
  }

  /** What its machines may cost in a calendar month. */
  public Optional<Double> usdPerMonth() {
    return budget.flatMap(Budget::usdPerMonth);
  }

  /** Its limits, or none. */
  public ClusterLimits limit() {
    return limits.orElse(ClusterLimits.NONE);
  }

  /** Its storage, in the order of its file. */
  public List<StorageSpec> storages() {
    return storage.orElse(List.of());
  }

  public Optional<StorageSpec> storage(String wanted) {
    return storages().stream().filter(s -> s.name().equals(wanted)).findFirst();
  }

  /** The storage that the machines of a pool mount. */
  public List<StorageSpec> storageOf(PoolSpec pool) {
    return storages().stream()
        .filter(s -> pool.storage().map(names -> names.contains(s.name())).orElse(true))
        .toList();
  }

  /** What the machines of a pool mount. */
  public List<Mount> mountsOf(PoolSpec pool) {
    return Stream.concat(mounts.stream(), storageOf(pool).stream().map(StorageSpec::mount))
        .toList();
  }

  /** The name by which a worker in the zone pulls an image: that of its region's mirror. */
  public String nearest(String pulled, String zone) {
    return ImageMirrors.nearest(pulled, image.orElse(""), mirrors, zone);
  }

  /** What a machine of the pool in the zone prepares before its first task, as its metadata. */
  public Map<String, String> preparationMetadata(PoolSpec pool, String zone) {
    var all = new LinkedHashMap<String, String>();
    image.ifPresent(i -> all.put("mayfly-image", nearest(i, zone)));
    if (image.isPresent() && !registries.isEmpty())
      all.put("mayfly-registries", ContainerRegistries.text(registries));
    var every = mountsOf(pool);
    if (!every.isEmpty()) all.put("mayfly-mounts", Mount.text(every));
    if (pool.machine().hasMps()) all.put("mayfly-gpu-sharing", "mps");
    var seeds = new LinkedHashMap<String, SeedSpec>();
    storageOf(pool).forEach(s -> s.seed().ifPresent(seed -> seeds.put(s.name(), seed)));
    if (!seeds.isEmpty()) all.put("mayfly-seeds", SeedSpec.text(seeds));
    return all;
  }
}
