package dev.mayfly.sim.fake;

import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.sim.engine.SimRandom;

/** Names and secrets from a world's randomness. */
public final class SimIdGenerator implements IdGenerator {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

  private final SimRandom simRandom;

  public SimIdGenerator(SimRandom simRandom) {
    this.simRandom = simRandom;
  }

  @Override
  public String next(int length) {
    var text = new StringBuilder();
    while (text.length() < length)
      text.append(LETTERS.charAt(simRandom.between(0, text.isEmpty() ? 25 : LETTERS.length() - 1)));
    return text.toString();
  }

  @Override
  public String secret() {
    return "%016x%016x".formatted(simRandom.bits(), simRandom.bits());
  }
}
