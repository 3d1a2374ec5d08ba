package dev.mayfly.core.model.document;

import java.time.Instant;

/** {@code deployment/tick-schedule}: whether the minute ticks should run. */
public record TickSchedule(Want want, Instant since) implements LedgerDocument {
  /** RUN, or PAUSE while there is nothing to reconcile. */
  public enum Want {
    RUN,
    PAUSE
  }

  @Override
  public DocumentKey.OfTickSchedule key() {
    return new DocumentKey.OfTickSchedule();
  }
}
