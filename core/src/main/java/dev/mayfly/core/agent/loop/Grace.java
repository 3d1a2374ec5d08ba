package dev.mayfly.core.agent.loop;

import java.time.Duration;
import java.util.Optional;

/**
 * What an attempt is left when it is ended.
 *
 * @param time from SIGTERM to SIGKILL
 * @param storing for how long its last checkpoint may be stored after its time
 * @param without why it is killed without time of its own
 */
public record Grace(Duration time, Duration storing, Optional<Without> without) {
  /** Why no time is left: nothing else ends an attempt at once. */
  public enum Without {
    /** The lease is another worker's by now, so that another attempt may run. */
    FENCED,
    /** It was asked to end before, and the time that it was left is over. */
    GIVEN,
    /** The machine's owner asked the agent twice to stop. */
    ASKED_TWICE
  }

  /** SIGTERM now, SIGKILL after this time. */
  public static Grace of(Duration time) {
    return new Grace(time, Duration.ZERO, Optional.empty());
  }

  /** SIGKILL now. */
  public static Grace none(Without why) {
    return new Grace(Duration.ZERO, Duration.ZERO, Optional.of(why));
  }

  public Grace storing(Duration after) {
    return new Grace(time, after, without);
  }

  /** Whether it may shorten the time that was left before. */
  public boolean isOver() {
    return without.isPresent();
  }

  /** The time that ends the attempt and stores what it left. */
  public Duration longest() {
    return time.plus(storing);
  }
}
