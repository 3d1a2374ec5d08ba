package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.engine.SimRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an operator does to the cluster, and when.
 *
 * @param drain some worker is to end
 * @param change the cluster gets another maximum
 * @param down the cluster is taken down
 * @param commands what is published besides
 * @param joins a machine of somebody's own joins the cluster
 * @param followUps whether people say more than is planned here
 */
public record OperatorActions(
    Optional<Duration> drain,
    Optional<Duration> change,
    Optional<Duration> down,
    List<PlannedCommand> commands,
    Optional<Duration> joins,
    boolean followUps) {
  public static final OperatorActions NONE =
      new OperatorActions(
          Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Optional.empty(), false);

  /** Something that is published, and when. */
  public record PlannedCommand(Duration at, UserCommand command) {}

  static OperatorActions of(SimRandom simRandom, Duration storm) {
    return new OperatorActions(
        sometimes(0.4, simRandom, storm),
        sometimes(0.3, simRandom, storm),
        sometimes(0.2, simRandom, storm),
        List.of(),
        Optional.empty(),
        true);
  }

  /** That and nothing else. */
  public static OperatorActions publishing(PlannedCommand... said) {
    return new OperatorActions(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(said),
        Optional.empty(),
        false);
  }

  private static Optional<Duration> sometimes(double chance, SimRandom simRandom, Duration storm) {
    var at = storm.multipliedBy(simRandom.between(10, 99)).dividedBy(100);
    return simRandom.chance(chance) ? Optional.of(at) : Optional.empty();
  }
}
