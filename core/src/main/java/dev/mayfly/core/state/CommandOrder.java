package dev.mayfly.core.state;

import java.time.Instant;
import java.util.Optional;

/**
 * How a command stands to the newest that was applied to the same thing. The newest word holds: by
 * when it was published, however often and however late older ones are delivered.
 */
public enum CommandOrder {
  /** It was published after the newest: it counts. */
  NEW,
  /** It is the newest, delivered once more: at most what a crash left undone of it is done. */
  AGAIN,
  /** A newer one was applied: it changes nothing. */
  OLD;

  /**
   * @param newest when the newest that was applied was published; empty: there was none
   */
  public static CommandOrder of(Optional<Instant> newest, Instant published) {
    if (newest.isEmpty() || published.isAfter(newest.get())) return NEW;
    return published.equals(newest.get()) ? AGAIN : OLD;
  }
}
