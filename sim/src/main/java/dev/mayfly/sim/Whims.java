package dev.mayfly.sim;

import dev.mayfly.sim.fake.Dice;
import java.time.Duration;
import java.util.Optional;

/**
 * What an operator does to the cluster, and when.
 *
 * @param drain some worker is to end
 * @param change the cluster gets another maximum
 * @param down the cluster is taken down
 */
record Whims(Optional<Duration> drain, Optional<Duration> change, Optional<Duration> down) {
  static final Whims NONE = new Whims(Optional.empty(), Optional.empty(), Optional.empty());

  static Whims of(Dice dice, Duration storm) {
    return new Whims(
        sometimes(0.4, dice, storm), sometimes(0.3, dice, storm), sometimes(0.2, dice, storm));
  }

  private static Optional<Duration> sometimes(double chance, Dice dice, Duration storm) {
    var at = storm.multipliedBy(dice.between(10, 99)).dividedBy(100);
    return dice.chance(chance) ? Optional.of(at) : Optional.empty();
  }
}
