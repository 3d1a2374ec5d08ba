package dev.mayfly.sim.engine;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * All randomness of a world. Each purpose has its own sequence, so that one more draw for one
 * purpose does not change the others, and a shorter run of a seed is a prefix of a longer one.
 */
public final class SimRandom {
  private final long seed;
  private final RandomGenerator random;

  public SimRandom(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
  }

  public SimRandom of(String purpose) {
    var mixed = seed;
    for (var i = 0; i < purpose.length(); i++)
      mixed = mixed * 0x5851f42d4c957f2dL + purpose.charAt(i) + 1;
    return new SimRandom(mixed ^ (mixed >>> 29));
  }

  public boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /** From {@code low} to {@code high}, inclusive. */
  public int between(int low, int high) {
    return random.nextInt(low, high + 1);
  }

  public Duration millis(int low, int high) {
    return Duration.ofMillis(between(low, high));
  }

  public Duration seconds(int low, int high) {
    return Duration.ofMillis(random.nextLong(low * 1000L, high * 1000L + 1));
  }

  public <T> T pick(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  /** The underlying generator. */
  public RandomGenerator generator() {
    return random;
  }

  public long bits() {
    return random.nextLong();
  }
}
