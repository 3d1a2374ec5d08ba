package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.engine.SimRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An operator's actions on the cluster, with their times.
 *
 * @param drain some worker is drained
 * @param change the cluster gets another maximum
 * @param down the cluster is taken down
 * @param commands further commands
 * @param joins a static machine joins the cluster
 * @param followUps whether {@code FollowUpCommands} adds more commands
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

  /** A command and the time of its publication. */
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

  /** These commands and nothing else. */
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
