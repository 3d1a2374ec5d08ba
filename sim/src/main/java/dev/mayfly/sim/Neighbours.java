package dev.mayfly.sim;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.sim.fake.Dice;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A second cluster of the same deployment, small and with a zone of its own: what befalls the first
 * one is no reason for it to wait.
 */
final class Neighbours {
  /** Its name. */
  static final String NAME = "next";

  private static final long GIB = 1L << 30;

  private Neighbours() {}

  static ClusterSpec cluster(Dice dice) {
    var pool =
        Scenarios.pool(
            "small",
            "n2-standard-4",
            Resources.cpu(4, 16 * GIB),
            List.of("z-next"),
            dice.between(1, 3),
            dice);
    return new ClusterSpec(NAME, Scenarios.BUCKET, Map.of(), List.of(pool), Optional.of("eve"));
  }

  /** A few short tasks. */
  static PlannedJob job(int number, Dice dice, Duration storm) {
    var like = Scenarios.spec(number, new TaskSource.Count(dice.between(1, 12)), dice);
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
            Optional.empty());
    var at = storm.multipliedBy(dice.between(0, 99)).dividedBy(100);
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
