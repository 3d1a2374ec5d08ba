package dev.mayfly.sim;

import dev.mayfly.core.model.Command;
import dev.mayfly.sim.fake.Dice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an operator does to the cluster, and when.
 *
 * @param drain some worker is to end
 * @param change the cluster gets another maximum
 * @param down the cluster is taken down
 * @param says what is published besides
 * @param joins a machine of somebody's own joins the cluster
 * @param more whether people say more than is planned here
 */
record Whims(
    Optional<Duration> drain,
    Optional<Duration> change,
    Optional<Duration> down,
    List<Said> says,
    Optional<Duration> joins,
    boolean more) {
  static final Whims NONE =
      new Whims(
          Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Optional.empty(), false);

  /** Something that is published, and when. */
  record Said(Duration at, Command command) {}

  static Whims of(Dice dice, Duration storm) {
    return new Whims(
        sometimes(0.4, dice, storm),
        sometimes(0.3, dice, storm),
        sometimes(0.2, dice, storm),
        List.of(),
        Optional.empty(),
        true);
  }

  /** That and nothing else. */
  static Whims saying(Said... said) {
    return new Whims(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(said),
        Optional.empty(),
        false);
  }

  private static Optional<Duration> sometimes(double chance, Dice dice, Duration storm) {
    var at = storm.multipliedBy(dice.between(10, 99)).dividedBy(100);
    return dice.chance(chance) ? Optional.of(at) : Optional.empty();
  }
}
