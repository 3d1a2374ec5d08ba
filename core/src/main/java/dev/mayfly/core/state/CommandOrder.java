package dev.mayfly.core.state;

import java.time.Instant;
import java.util.Optional;

/**
 * How a command relates to the newest one applied to the same thing. The newest by publish time
 * holds, however often and late older ones are delivered.
 */
public enum CommandOrder {
  /** Published after the newest: it is applied. */
  NEW,
  /** The newest, delivered again: only what a crash left undone is done. */
  AGAIN,
  /** A newer one was applied: it changes nothing. */
  OLD;

  /**
   * @param newest when the newest applied command was published; empty if there was none
   */
  public static CommandOrder of(Optional<Instant> newest, Instant published) {
    if (newest.isEmpty() || published.isAfter(newest.get())) return NEW;
    return published.equals(newest.get()) ? AGAIN : OLD;
  }
}
