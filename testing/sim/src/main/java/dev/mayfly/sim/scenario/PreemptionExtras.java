package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.PreemptionRule;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.spec.JobBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Some worlds have pools that end running tasks for a higher priority, long tasks of a low one
 * there and short ones of a high one later. It has its own randomness, so that the rest of a world
 * is the same without it.
 */
final class PreemptionExtras {
  private static final long GIB = 1L << 30;
  private static final double SHARE = 0.25;

  private final SimRandom simRandom;
  private final boolean drawn;

  PreemptionExtras(long seed) {
    simRandom = new SimRandom(seed).of("preemption");
    drawn = simRandom.chance(SHARE);
  }

  /** The cluster, perhaps with pools that end running tasks. */
  ClusterSpec cluster(ClusterSpec spec) {
    if (!drawn) return spec;
    var pools = new ArrayList<PoolSpec>();
    for (var pool : spec.pools()) pools.add(pool.withPreemption(PreemptionRule.RUNNING));
    return spec.with(pools);
  }

  /**
   * @param number of the first job
   */
  List<PlannedJob> jobs(int number, Duration storm) {
    if (!drawn) return List.of();
    var at = storm.multipliedBy(simRandom.between(0, 30)).dividedBy(100);
    var low =
        job(number, 10, simRandom.between(10, 60), simRandom.pick(List.of(0.5, 1.0)), at, 180);
    var later = at.plusSeconds(simRandom.between(60, 400));
    var cpus = simRandom.pick(List.of(0.5, 1.0, 2.0, 4.0));
    var high = job(number + 1, 95, simRandom.between(1, 8), cpus, later, 60);
    return List.of(simRandom.chance(0.5) ? checkpointed(low) : low, high);
  }

  private static PlannedJob checkpointed(PlannedJob job) {
    return new PlannedJob(
        job.number(),
        job.spec(),
        job.at(),
        job.stopAt(),
        job.again(),
        job.inputs(),
        job.sealed(),
        job.tasks().withCheckpoints(Duration.ofSeconds(40)));
  }

  private PlannedJob job(
      int number, int priority, int tasks, double cpus, Duration at, int longest) {
    var like = ScenarioGenerator.spec(number, new TaskSource.Count(tasks), simRandom);
    var spec =
        JobBuilder.like(like, "preempting-" + number)
            .resources(Resources.cpu(cpus, GIB))
            .priority(priority)
            .build();
    return new PlannedJob(
        number,
        spec,
        at,
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        Duration.ofSeconds(longest / 3),
        Duration.ofSeconds(longest));
  }
}
