package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.spec.ClusterBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A small second cluster of the same deployment, in its own zone: faults of the first cluster must
 * not delay it.
 */
final class SecondCluster {
  /** Its name. */
  static final String NAME = "next";

  private static final long GIB = 1L << 30;

  private SecondCluster() {}

  static ClusterSpec cluster(SimRandom simRandom) {
    var pool =
        ScenarioGenerator.pool(
            "small",
            "n2-standard-4",
            Resources.cpu(4, 16 * GIB),
            List.of("z-next"),
            simRandom.between(1, 3),
            simRandom);
    return ClusterBuilder.named(NAME)
        .bucket(ScenarioGenerator.BUCKET)
        .pools(pool)
        .owner("eve")
        .build();
  }

  /** A few short tasks. */
  static PlannedJob job(int number, SimRandom simRandom, Duration storm) {
    var like =
        ScenarioGenerator.spec(number, new TaskSource.Count(simRandom.between(1, 12)), simRandom);
    var spec =
        new JobSpec(
            like.name(),
            NAME,
            Optional.of("eve"),
            like.tasks(),
            like.data(),
            like.run(),
            like.resources(),
            like.retries(),
            like.priority(),
            like.place(),
            like.exclusive(),
            0,
            false,
            Optional.empty(),
            Optional.empty());
    var at = storm.multipliedBy(simRandom.between(0, 99)).dividedBy(100);
    return new PlannedJob(
        number,
        spec,
        at,
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        Duration.ofSeconds(2),
        Duration.ofSeconds(20));
  }
}
