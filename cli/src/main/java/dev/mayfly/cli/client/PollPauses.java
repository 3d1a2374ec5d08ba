package dev.mayfly.cli.client;

import java.time.Duration;

/**
 * The pauses between polls: short at first, because most answers come at once, and longer each
 * time, so that a long wait asks seldom. For one wait; not thread-safe.
 */
public final class PollPauses {
  private static final Duration FIRST = Duration.ofMillis(15);

  private final Duration longest;
  private Duration pause = FIRST;

  /**
   * @param longest no pause is longer
   */
  public PollPauses(Duration longest) {
    this.longest = longest;
  }

  /** How long to sleep before the next poll: each time half as long again. */
  public Duration next() {
    var now = pause.compareTo(longest) < 0 ? pause : longest;
    pause = now.multipliedBy(3).dividedBy(2);
    return now;
  }
}
