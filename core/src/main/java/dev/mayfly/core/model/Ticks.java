package dev.mayfly.core.model;

import java.time.Instant;

/** {@code deployment/ticks}: whether the minute ticks should run. */
public record Ticks(Want want, Instant since) implements Document {
  /** RUN, or PAUSE while there is nothing to look after. */
  public enum Want {
    RUN,
    PAUSE
  }

  @Override
  public Key.OfTicks key() {
    return new Key.OfTicks();
  }
}
