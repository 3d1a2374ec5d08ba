package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.catalog.MachineKind;
import dev.mayfly.core.catalog.PlainBootImage;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which changes of a cluster a running machine follows.
 *
 * <p>Numbers of workers, zones, times, environment, secrets, the tasks' container image and new
 * pools apply at once. The properties of a machine (its type, boot image, disk, GPUs, network,
 * reservation, provisioning, visible resources, labels) and its mounts require a new machine: the
 * pool's version is raised, and workers of an older version are replaced. So does a cluster's first
 * image, in pools whose machines install a container engine for it.
 */
public final class PoolVersions {
  /** Why a worker ends whose pool no longer exists. */
  public static final DrainReason REMOVED =
      new DrainReason(DrainCause.POOL_REPLACED, "its pool is no longer in the spec");

  private PoolVersions() {}

  /** The versions of all pools after a change to {@code spec}, which becomes {@code generation}. */
  public static Map<String, Cluster.Version> after(
      Cluster was, ClusterSpec spec, long generation, Instant now) {
    var versions = new HashMap<>(was.versions());
    for (var pool : was.spec().pools()) {
      var changes = replacing(was.spec(), pool, spec);
      if (!changes.isEmpty())
        versions.put(pool.name(), new Cluster.Version(generation, now, String.join(", ", changes)));
    }
    return versions;
  }

  /** What a change to {@code spec} replaces the pool's workers for; empty if they stay. */
  public static List<String> replacing(ClusterSpec was, PoolSpec pool, ClusterSpec spec) {
    var next = spec.pool(pool.name());
    if (next.isEmpty()) return List.of("the pool was removed");
    var changes = new ArrayList<String>();
    if (!pool.machineType().equals(next.get().machineType())) changes.add("machine type");
    else if (!pool.machine().equals(next.get().machine())) changes.add("machine");
    if (!seen(pool.visible(), next.get()).equals(next.get().visible())) changes.add("visible");
    if (pool.provisioning() != next.get().provisioning()) changes.add("provisioning");
    if (!pool.labels().equals(next.get().labels())) changes.add("labels");
    if (!was.mountsOf(pool).equals(spec.mountsOf(next.get()))) changes.add("mounts");
    if (was.image().isEmpty() && spec.image().isPresent() && installsEngine(next.get()))
      changes.add("container engine");
    return changes;
  }

  /** What is stored from before pools had it says no memory of GPUs, which changes no machine. */
  private static Resources seen(Resources stored, PoolSpec next) {
    return stored.gpuMemoryBytes() > 0
        ? stored
        : stored.withGpuMemory(next.visible().gpuMemoryBytes());
  }

  private static boolean installsEngine(PoolSpec pool) {
    return MachineKind.of(pool).isCompute() && PlainBootImage.installs(PlainBootImage.of(pool));
  }

  /**
   * Why the worker no longer matches its pool; empty if it does, and for a static worker, which
   * only its owner can replace.
   */
  public static Optional<String> stale(Cluster cluster, Worker worker) {
    var pool = cluster.spec().pool(worker.pool());
    if (pool.isEmpty()) return Optional.of(REMOVED.text());
    if (pool.get().provisioning() == Provisioning.STATIC) return Optional.empty();
    if (!pool.get().machineType().equals(worker.machineType()))
      return Optional.of(
          "its pool has %s now, not %s".formatted(pool.get().machineType(), worker.machineType()));
    if (!pool.get().zones().contains(worker.zone()))
      return Optional.of("its pool is not in " + worker.zone() + " now");
    return version(cluster, worker)
        .map(v ->
            "it is of generation %d, and its pool changed in generation %d: %s"
                .formatted(worker.generation(), v.generation(), v.what()));
  }

  /** Why the worker is drained if it no longer matches its pool. */
  static Optional<DrainReason> replacement(Cluster cluster, Worker worker) {
    if (cluster.spec().pool(worker.pool()).isEmpty()) return Optional.of(REMOVED);
    return stale(cluster, worker)
        .map(why -> new DrainReason(DrainCause.POOL_REPLACED, "pool replaced: " + why));
  }

  private static Optional<Cluster.Version> version(Cluster cluster, Worker worker) {
    return Optional.ofNullable(cluster.versions().get(worker.pool()))
        .filter(v -> worker.generation() < v.generation());
  }

  /** Until when running tasks on a stale worker may continue. */
  public static Instant until(Cluster cluster, Worker worker, Instant now) {
    return version(cluster, worker)
        .map(Cluster.Version::at)
        .orElse(now)
        .plus(cluster.spec().rollout().within());
  }
}
