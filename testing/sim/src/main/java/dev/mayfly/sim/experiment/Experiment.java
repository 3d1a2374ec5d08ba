package dev.mayfly.sim.experiment;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.sim.scenario.DurationModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A cluster, the jobs that arrive there, and the world around it.
 *
 * @param conditions what zones are like; of two that are about the same, the first counts
 * @param longest the virtual time after which it ends, whatever still waits
 */
public record Experiment(
    ClusterSpec cluster,
    List<ArrivingJob> jobs,
    List<ZoneConditions> conditions,
    Duration longest) {
  public Experiment {
    jobs = List.copyOf(jobs);
    conditions = List.copyOf(conditions);
  }

  /**
   * An experiment with a cluster whose machines install, mount and pull nothing, for a simulation
   * does none of it.
   */
  public static Experiment of(
      ClusterSpec cluster,
      List<ArrivingJob> jobs,
      List<ZoneConditions> conditions,
      Duration longest) {
    var bare =
        new ClusterSpec(
            cluster.name(),
            cluster.bucket(),
            Map.of(),
            cluster.pools(),
            cluster.owner(),
            Map.of(),
            Optional.empty(),
            Map.of(),
            List.of(),
            cluster.rollout(),
            TaskRights.NONE,
            List.of(),
            cluster.budget(),
            Optional.empty(),
            Optional.empty(),
            cluster.limits(),
            Map.of(),
            Optional.empty());
    return new Experiment(bare, jobs, conditions, longest);
  }

  /** What the first condition that tells it says of a pool's machines in a zone. */
  private <T> Optional<T> first(
      PoolSpec pool, String zone, Function<ZoneConditions, Optional<T>> what) {
    return conditions.stream()
        .filter(c -> c.isAbout(pool.name(), zone))
        .flatMap(c -> what.apply(c).stream())
        .findFirst();
  }

  /** How many machines the zone has for the pool over time; empty for any number. */
  List<ZoneConditions.Stock> stock(PoolSpec pool, String zone) {
    return first(pool, zone, c -> Optional.of(c.stock()).filter(s -> !s.isEmpty()))
        .orElse(List.of());
  }

  /** The part of the pool's machines that the zone takes back within an hour. */
  double preemptedPerHour(PoolSpec pool, String zone) {
    return first(pool, zone, ZoneConditions::preemptedPerHour).orElse(0.0);
  }

  /** How long a machine of the pool takes until it runs; empty for some seconds. */
  Optional<DurationModel> boot(PoolSpec pool, String zone) {
    return first(pool, zone, ZoneConditions::boot);
  }
}
