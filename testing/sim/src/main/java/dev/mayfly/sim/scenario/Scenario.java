package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A world's initial state and its planned actions.
 *
 * @param faults those that may strike
 * @param instances how many function instances there are
 * @param cluster the cluster that operators and faults act on
 * @param neighbour another cluster of the same deployment, which must be served whatever happens to
 *     the first
 * @param stock the number of machines in each zone
 * @param whims what an operator does
 * @param storm how long faults strike
 */
public record Scenario(
    long seed,
    Set<Fault> faults,
    int instances,
    ClusterSpec cluster,
    Optional<ClusterSpec> neighbour,
    Map<String, Integer> stock,
    List<PlannedJob> jobs,
    OperatorActions whims,
    Duration storm) {
  /** A scenario with one cluster. */
  public Scenario(
      long seed,
      Set<Fault> faults,
      int instances,
      ClusterSpec cluster,
      Map<String, Integer> stock,
      List<PlannedJob> jobs,
      OperatorActions whims,
      Duration storm) {
    this(seed, faults, instances, cluster, Optional.empty(), stock, jobs, whims, storm);
  }

  Scenario with(Set<Fault> other) {
    return new Scenario(seed, other, instances, cluster, neighbour, stock, jobs, whims, storm);
  }

  public Scenario without(Fault fault) {
    var fewer = faults.isEmpty() ? EnumSet.noneOf(Fault.class) : EnumSet.copyOf(faults);
    fewer.remove(fault);
    return with(fewer);
  }

  public long tasks() {
    return jobs.stream().mapToLong(ScenarioGenerator::tasks).sum();
  }
}
