package dev.mayfly.core.plan;

import dev.mayfly.core.catalog.MachineSuggestions;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.BatchSize;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.model.InfeasibleReason;
import dev.mayfly.core.text.HumanAmounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks whether any worker that a cluster could ever have fits one task of a job. A job that can
 * never run is rejected when it is submitted and does not wait for ever.
 *
 * <p><b>Must:</b> use shapes and limits alone, never stock or current load.
 *
 * <p><b>Goals:</b> name the nearest shape and what to change; ties go to the spec's order.
 */
public final class Feasibility {
  static final String NO_FALLBACK =
      "no pool that it may use has on-demand machines for it; write onDemand: {max: 4} in a spot pool";

  private Feasibility() {}

  /** Empty if a worker of the cluster can run a task of the job. */
  public static Optional<InfeasibleReason> check(JobSpec job, ClusterSpec cluster) {
    var infeasibleReason = check(job.resources(), job.place(), cluster);
    if (infeasibleReason.isEmpty())
      infeasibleReason = together(job.resources(), job.place(), job.gang(), cluster);
    if (infeasibleReason.isEmpty()) infeasibleReason = urgent(job, cluster);
    return infeasibleReason.isPresent() ? infeasibleReason : MountedPaths.check(job, cluster);
  }

  /**
   * Empty if a pool has what the job wants on demand, or if the job never asks for on-demand
   * machines.
   */
  private static Optional<InfeasibleReason> urgent(JobSpec job, ClusterSpec cluster) {
    if (!job.retries().onDemand().asked()) return Optional.empty();
    var names =
        cluster.pools().stream()
            .filter(p ->
                p.provisioning() != Provisioning.SPOT && job.place().allowsFallbackPool(p.name()))
            .map(PoolSpec::name)
            .toList();
    if (!names.isEmpty() && check(job.resources(), job.place().withPools(names), cluster).isEmpty())
      return Optional.empty();
    return Optional.of(
        new InfeasibleReason(
            "onDemand",
            "asks for onDemand, and " + NO_FALLBACK + ", or leave onDemand out",
            List.of()));
  }

  /** A gang consists of single machines of one pool, all present at the same time. */
  static Optional<InfeasibleReason> together(
      Resources need, Placement placement, int gang, ClusterSpec cluster) {
    if (gang <= 1) return Optional.empty();
    if (gang > BatchSize.GANG)
      return Optional.of(
          new InfeasibleReason(
              "gang",
              "asks for gang: %d, and a task runs on at most %d machines together; ask for fewer, or for a TPU slice"
                  .formatted(gang, BatchSize.GANG),
              List.of()));
    var fit = cluster.pools().stream().filter(p -> why(need, placement, p).isEmpty()).toList();
    if (fit.stream().anyMatch(p -> holdsGang(gang, p))) return Optional.empty();
    var considered =
        fit.stream()
            .map(p ->
                p.name()
                    + (TpuTypes.isOneHost(p.machineType())
                        ? " has at most " + p.max()
                        : " has slices of several hosts, which are gangs themselves"))
            .collect(Collectors.joining(", "));
    return Optional.of(
        new InfeasibleReason(
            "gang",
            "asks for gang: %d, and no pool that it may use may have %d single machines at once: %s; raise workers.max, or ask for a smaller gang"
                .formatted(gang, gang, considered),
            List.of()));
  }

  private static boolean holdsGang(int gang, PoolSpec pool) {
    return TpuTypes.isOneHost(pool.machineType()) && pool.max() >= gang;
  }

  /**
   * Empty if a worker of the cluster has room for {@code need}.
   *
   * @param placement where it may run
   */
  public static Optional<InfeasibleReason> check(
      Resources need, Placement placement, ClusterSpec cluster) {
    if (cluster.pools().stream().anyMatch(p -> why(need, placement, p).isEmpty()))
      return Optional.empty();
    var considered =
        cluster.pools().stream()
            .map(p ->
                new InfeasibleReason.Considered(p.name(), why(need, placement, p).orElseThrow()))
            .toList();
    return Optional.of(
        new InfeasibleReason(
            field(placement, cluster), message(need, placement, cluster, considered), considered));
  }

  /** Whether a task of the job fits on a worker of the pool. */
  public static boolean mayRun(JobSpec job, PoolSpec pool) {
    return why(job.resources(), job.place(), pool).isEmpty();
  }

  /** Why the pool is unsuitable; empty if it is suitable. */
  static Optional<String> why(Resources need, Placement placement, PoolSpec pool) {
    if (!placement.allowsPool(pool.name()))
      return Optional.of(
          PoolSpec.isFallback(pool.name()) && placement.allowsFallbackPool(pool.name())
              ? "it is kept for work that spot machines did not finish"
              : "the job's pools do not name it");
    if (!placement.allowsLabelsOf(pool))
      return Optional.of(
          pool.labels().isEmpty()
              ? "it has no labels"
              : "it has the labels " + LabelText.of(pool.labels()));
    if (!placement.allowsSomeZone(pool))
      return Optional.of(
          "it is in "
              + String.join(", ", pool.zones())
              + (placement.locations().isEmpty()
                  ? ", not in the job's zones"
                  : ", not where the job's buckets are: "
                      + String.join(", ", placement.locations())));
    if (!TpuTypes.isOneHost(pool.machineType()) && !placement.allowsSlices(need))
      return Optional.of(
          "each task would run on all hosts of its slices; name it in the job's pools for that");
    if (!pool.visible().fits(need))
      return Optional.of(pool.machineType() + " has " + lacks(need, pool.visible()));
    if (pool.max() == 0) return Optional.of("workers.max is 0");
    return Optional.empty();
  }

  /** The field of the job that excludes every pool. */
  private static String field(Placement placement, ClusterSpec cluster) {
    var named = cluster.pools().stream().filter(p -> placement.allowsPool(p.name())).toList();
    if (named.isEmpty() && !cluster.pools().isEmpty()) return "pools";
    if (named.stream().noneMatch(placement::allowsLabelsOf)) return "labels";
    if (named.stream().noneMatch(placement::allowsSomeZone) && !placement.zones().isEmpty())
      return "zones";
    return "resources";
  }

  private static String message(
      Resources need,
      Placement placement,
      ClusterSpec cluster,
      List<InfeasibleReason.Considered> all) {
    if (cluster.pools().isEmpty())
      return "cluster %s has no pool; add one whose workers have %s"
          .formatted(cluster.name(), HumanAmounts.phrase(need));
    var named = cluster.pools().stream().filter(p -> placement.allowsPool(p.name())).toList();
    if (named.isEmpty()) return unknown(placement.pools(), cluster);
    if (named.stream().noneMatch(placement::allowsLabelsOf))
      return LabelText.unmatched(placement.labels(), cluster.name(), named);
    var inZones = named.stream().filter(placement::allowsSomeZone).toList();
    if (inZones.isEmpty()) return elsewhere(placement, cluster, named);
    var suitable =
        inZones.stream()
            .filter(p -> TpuTypes.isOneHost(p.machineType()) || placement.allowsSlices(need))
            .toList();
    if (suitable.isEmpty()) return slices(cluster, inZones);
    if (suitable.stream().anyMatch(p -> p.visible().fits(need)))
      return closed(need, cluster, suitable);
    var nearest =
        suitable.stream().min(Comparator.comparingDouble(p -> excess(need, p))).orElseThrow();
    return small(need, placement, cluster, nearest) + others(all, nearest);
  }

  private static String unknown(List<String> allowed, ClusterSpec cluster) {
    return "names the pools %s, and cluster %s has none of them; its pools are %s"
        .formatted(
            String.join(", ", allowed),
            cluster.name(),
            cluster.pools().stream().map(PoolSpec::name).collect(Collectors.joining(", ")));
  }

  private static String elsewhere(Placement placement, ClusterSpec cluster, List<PoolSpec> named) {
    return "may run in %s alone, and no pool of cluster %s that it may use is there: %s"
        .formatted(
            String.join(
                ", ", placement.zones().isEmpty() ? placement.locations() : placement.zones()),
            cluster.name(),
            named.stream()
                .map(p -> p.name() + " is in " + String.join(", ", p.zones()))
                .collect(Collectors.joining("; ")));
  }

  private static String slices(ClusterSpec cluster, List<PoolSpec> inZones) {
    var names = String.join(", ", inZones.stream().map(PoolSpec::name).toList());
    return "has no pool of single machines to run in on cluster %s; on %s each task would run on all hosts of a slice at once: write pools: [%s] if that is meant, or add another pool"
        .formatted(cluster.name(), names, names);
  }

  private static String closed(Resources need, ClusterSpec cluster, List<PoolSpec> inZones) {
    var names =
        inZones.stream()
            .filter(p -> p.visible().fits(need))
            .map(PoolSpec::name)
            .collect(Collectors.joining(", "));
    return "fits in pool %s of cluster %s alone, where workers.max is 0; raise it to 1 or more"
        .formatted(names, cluster.name());
  }

  private static String small(
      Resources need, Placement placement, ClusterSpec cluster, PoolSpec nearest) {
    var has = nearest.visible();
    var lacking =
        Arrays.stream(HumanAmounts.Kind.values()).filter(k -> k.of(need) > k.of(has)).toList();
    return "asks for %s a task; the %s worker of cluster %s%s has %s (pool %s: %s, %s); ask for at most %s, or add a pool with a larger machine%s"
        .formatted(
            HumanAmounts.phrase(lacking.stream().map(k -> k.say(need)).toList()),
            cluster.pools().size() == 1 ? "largest" : "nearest",
            cluster.name(),
            placement.equals(Placement.ANYWHERE) ? "" : " where the job may run",
            HumanAmounts.phrase(lacking.stream().map(k -> k.say(has)).toList()),
            nearest.name(),
            nearest.machineType(),
            HumanAmounts.format(has),
            HumanAmounts.phrase(has),
            MachineSuggestions.smallest(need).map(s -> ", " + s + " for example").orElse(""));
  }

  private static String others(List<InfeasibleReason.Considered> all, PoolSpec nearest) {
    var rest =
        all.stream()
            .filter(c -> !c.pool().equals(nearest.name()))
            .map(c -> c.pool() + " (" + c.why() + ")")
            .toList();
    return rest.isEmpty() ? "" : "; also considered: " + String.join(", ", rest);
  }

  /** The largest ratio of a requested amount to what the pool has. */
  private static double excess(Resources need, PoolSpec pool) {
    return Arrays.stream(HumanAmounts.Kind.values())
        .filter(k -> k.of(need) > 0)
        .mapToDouble(k -> k.of(need) / Math.max(0.001, (double) k.of(pool.visible())))
        .max()
        .orElse(0);
  }

  private static String lacks(Resources need, Resources has) {
    var parts = new ArrayList<String>();
    for (var kind : HumanAmounts.Kind.values())
      if (kind.of(need) > kind.of(has)) parts.add(kind.say(has) + ", not " + kind.say(need));
    return HumanAmounts.phrase(parts);
  }
}
