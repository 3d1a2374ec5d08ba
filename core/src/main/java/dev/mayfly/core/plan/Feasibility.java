package dev.mayfly.core.plan;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.veto.InfeasibleReason;
import dev.mayfly.core.plan.veto.InfeasibleText;
import dev.mayfly.core.plan.veto.ShapeVeto;
import java.util.Optional;

/**
 * Checks whether any worker that a cluster could ever have fits one task of a job. A job that can
 * never run is rejected when it is submitted and does not wait for ever.
 *
 * <p><b>Must:</b> use shapes and limits alone, never stock or current load.
 *
 * <p><b>Goals:</b> name the nearest shape and what to change; ties go to the spec's order.
 */
public final class Feasibility {
  private Feasibility() {}

  /** Empty if a worker of the cluster can run a task of the job. */
  public static Optional<InfeasibleReason> check(JobSpec job, ClusterSpec cluster) {
    var infeasibleReason = check(job.resources(), job.place(), job.gang(), cluster);
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
    return Optional.of(InfeasibleText.noOnDemandPool());
  }

  /** A gang consists of single machines of one pool, all present at the same time. */
  static Optional<InfeasibleReason> together(
      Resources need, Placement placement, int gang, ClusterSpec cluster) {
    if (gang <= 1) return Optional.empty();
    if (gang > BatchSize.GANG) return Optional.of(InfeasibleText.largeGang(gang));
    var fit = cluster.pools().stream().filter(p -> why(need, placement, p).isEmpty()).toList();
    if (fit.stream().anyMatch(p -> holdsGang(gang, p))) return Optional.empty();
    return Optional.of(InfeasibleText.noRoomForGang(gang, fit));
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
    return check(need, placement, 1, cluster);
  }

  /**
   * Empty if a task of the job can have the workers that it takes.
   *
   * @param gang how many; 1 or less for a single one
   */
  static Optional<InfeasibleReason> check(
      Resources need, Placement placement, int gang, ClusterSpec cluster) {
    if (cluster.pools().stream().anyMatch(p -> why(need, placement, p).isEmpty()))
      return together(need, placement, gang, cluster);
    var considered =
        cluster.pools().stream()
            .map(p ->
                new InfeasibleReason.Considered(p.name(), why(need, placement, p).orElseThrow()))
            .toList();
    return Optional.of(new InfeasibleText(need, placement, gang, cluster, considered).reason());
  }

  /** Whether a task of the job fits on a worker of the pool. */
  public static boolean mayRun(JobSpec job, PoolSpec pool) {
    return why(job.resources(), job.place(), pool).isEmpty();
  }

  /** Why no worker of the pool could run a task; empty if one could. */
  public static Optional<ShapeVeto> why(Resources need, Placement placement, PoolSpec pool) {
    if (!placement.allowsPool(pool.name()))
      return Optional.of(
          PoolSpec.isFallback(pool.name()) && placement.allowsFallbackPool(pool.name())
              ? new ShapeVeto.OnlyUrgent()
              : new ShapeVeto.NotNamed());
    if (!placement.allowsLabelsOf(pool))
      return Optional.of(new ShapeVeto.OtherLabels(pool.labels()));
    if (!placement.allowsSomeZone(pool))
      return Optional.of(new ShapeVeto.OtherZones(pool.zones(), placement.locations()));
    if (!TpuTypes.isOneHost(pool.machineType()) && !placement.allowsSlices(need))
      return Optional.of(new ShapeVeto.WholeSlices());
    if (!pool.visible().fits(need))
      return Optional.of(new ShapeVeto.TooSmall(pool.machineType(), need, pool.visible()));
    if (pool.max() == 0) return Optional.of(new ShapeVeto.NoWorkers());
    return Optional.empty();
  }
}
