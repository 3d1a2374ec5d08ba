package dev.mayfly.sim.fake;

import dev.mayfly.core.port.Ids;

/** Names and secrets from a world's dice. */
public final class SimIds implements Ids {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

  private final Dice dice;

  public SimIds(Dice dice) {
    this.dice = dice;
  }

  @Override
  public String next(int length) {
    var text = new StringBuilder();
    while (text.length() < length)
      text.append(LETTERS.charAt(dice.between(0, text.isEmpty() ? 25 : LETTERS.length() - 1)));
    return text.toString();
  }

  @Override
  public String secret() {
    return "%016x%016x".formatted(dice.bits(), dice.bits());
  }
}
