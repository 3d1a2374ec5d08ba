package dev.mayfly.core.plan;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tells whether any worker that a cluster could ever have has room for one task of a job, so that a
 * job that can't run is refused when it is submitted and does not wait for ever.
 *
 * <p><b>Must:</b> look at shapes and limits alone, never at what is in stock or busy now.
 *
 * <p><b>Goals:</b> name the shape that comes nearest and what to change; ties go to the spec's
 * order.
 */
public final class Feasibility {
  private Feasibility() {}

  /** Empty when a worker of the cluster can run a task of the job. */
  public static Optional<Infeasible> check(JobSpec job, ClusterSpec cluster) {
    if (job.gang() > 1) return Optional.of(new Infeasible(together(job), List.of()));
    return check(job.resources(), job.pools(), cluster);
  }

  /** Each task on one worker alone would be another job than the one that was asked for. */
  private static String together(JobSpec job) {
    return "asks for gang: %d, and no worker starts a task together with others yet; leave gang out if each task runs on one worker"
        .formatted(job.gang());
  }

  /** Why no task can be run on a worker of the pool, however small; empty when one can. */
  private static Optional<String> slice(PoolSpec pool) {
    return TpuTypes.of(pool.machineType())
        .filter(t -> t.hosts() > 1)
        .map(t ->
            "%s has %d hosts, and no task is run on several hosts yet"
                .formatted(t.type(), t.hosts()));
  }

  /**
   * Empty when a worker of the cluster has room for {@code need}.
   *
   * @param allowed the pools that may be used; all when empty
   */
  public static Optional<Infeasible> check(
      Resources need, List<String> allowed, ClusterSpec cluster) {
    if (cluster.pools().stream().anyMatch(p -> why(need, allowed, p).isEmpty()))
      return Optional.empty();
    var considered =
        cluster.pools().stream()
            .map(p -> new Infeasible.Considered(p.name(), why(need, allowed, p).orElseThrow()))
            .toList();
    return Optional.of(new Infeasible(message(need, allowed, cluster, considered), considered));
  }

  /** Why the pool will not do; empty when it will. */
  static Optional<String> why(Resources need, List<String> allowed, PoolSpec pool) {
    if (!allowed.isEmpty() && !allowed.contains(pool.name()))
      return Optional.of("the job's pools do not name it");
    var slice = slice(pool);
    if (slice.isPresent()) return slice;
    if (!pool.visible().fits(need))
      return Optional.of(pool.machineType() + " has " + lacks(need, pool.visible()));
    if (pool.max() == 0) return Optional.of("workers.max is 0");
    return Optional.empty();
  }

  private static String message(
      Resources need, List<String> allowed, ClusterSpec cluster, List<Infeasible.Considered> all) {
    if (cluster.pools().isEmpty())
      return "cluster %s has no pool; add one whose workers have %s"
          .formatted(cluster.name(), Amounts.phrase(need));
    var mine = cluster.pools().stream().filter(p -> named(allowed, p)).toList();
    if (mine.isEmpty()) return unknown(allowed, cluster);
    var whole = mine.stream().filter(p -> slice(p).isEmpty()).toList();
    if (whole.isEmpty()) return slices(cluster, mine);
    if (whole.stream().anyMatch(p -> p.visible().fits(need))) return closed(need, cluster, whole);
    var nearest =
        whole.stream().min(Comparator.comparingDouble(p -> excess(need, p))).orElseThrow();
    return small(need, allowed, cluster, nearest) + others(all, nearest);
  }

  private static String unknown(List<String> allowed, ClusterSpec cluster) {
    return "names the pools %s, and cluster %s has none of them; its pools are %s"
        .formatted(
            String.join(", ", allowed),
            cluster.name(),
            cluster.pools().stream().map(PoolSpec::name).collect(Collectors.joining(", ")));
  }

  private static String slices(ClusterSpec cluster, List<PoolSpec> mine) {
    var each = mine.stream().map(p -> p.name() + " (" + slice(p).orElseThrow() + ")").toList();
    return "has no pool to run in on cluster %s: %s; add one whose workers have one host, v4-8 for example"
        .formatted(cluster.name(), String.join(", ", each));
  }

  private static String closed(Resources need, ClusterSpec cluster, List<PoolSpec> mine) {
    var names =
        mine.stream()
            .filter(p -> p.visible().fits(need))
            .map(PoolSpec::name)
            .collect(Collectors.joining(", "));
    return "fits in pool %s of cluster %s alone, where workers.max is 0; raise it to 1 or more"
        .formatted(names, cluster.name());
  }

  private static String small(
      Resources need, List<String> allowed, ClusterSpec cluster, PoolSpec nearest) {
    var has = nearest.visible();
    var lacking = Arrays.stream(Amounts.Kind.values()).filter(k -> k.of(need) > k.of(has)).toList();
    return "asks for %s a task; the %s worker of cluster %s%s has %s (pool %s: %s, %s); ask for at most %s, or add a pool with a larger machine%s"
        .formatted(
            Amounts.phrase(lacking.stream().map(k -> k.say(need)).toList()),
            cluster.pools().size() == 1 ? "largest" : "nearest",
            cluster.name(),
            allowed.isEmpty() ? "" : " in the job's pools",
            Amounts.phrase(lacking.stream().map(k -> k.say(has)).toList()),
            nearest.name(),
            nearest.machineType(),
            Amounts.say(has),
            Amounts.phrase(has),
            Shapes.smallest(need).map(s -> ", " + s + " for example").orElse(""));
  }

  private static String others(List<Infeasible.Considered> all, PoolSpec nearest) {
    var rest =
        all.stream()
            .filter(c -> !c.pool().equals(nearest.name()))
            .map(c -> c.pool() + " (" + c.why() + ")")
            .toList();
    return rest.isEmpty() ? "" : "; also considered: " + String.join(", ", rest);
  }

  /** By what factor the worst of the amounts is too large. */
  private static double excess(Resources need, PoolSpec pool) {
    return Arrays.stream(Amounts.Kind.values())
        .filter(k -> k.of(need) > 0)
        .mapToDouble(k -> k.of(need) / Math.max(0.001, (double) k.of(pool.visible())))
        .max()
        .orElse(0);
  }

  private static String lacks(Resources need, Resources has) {
    var parts = new ArrayList<String>();
    for (var kind : Amounts.Kind.values())
      if (kind.of(need) > kind.of(has)) parts.add(kind.say(has) + ", not " + kind.say(need));
    return Amounts.phrase(parts);
  }

  private static boolean named(List<String> allowed, PoolSpec pool) {
    return allowed.isEmpty() || allowed.contains(pool.name());
  }
}
