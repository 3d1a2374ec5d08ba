package dev.mayfly.cli.client;

import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Polls until a condition is met. */
public record ConditionPoller(InstantSource clock, Sleeper sleeper) {
  /** Waits. */
  public interface Sleeper {
    void sleep(Duration span);
  }

  /** Sleeps in real time; an interrupt ends the command. */
  public static void sleep(Duration span) {
    try {
      Thread.sleep(span);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while waiting", e);
    }
  }

  /**
   * The result of {@code probe}; empty if it found nothing within {@code limit}. Polls at least
   * once.
   */
  public <T> Optional<T> until(Duration limit, Duration every, Supplier<Optional<T>> probe) {
    var end = clock.instant().plus(limit);
    while (true) {
      var found = probe.get();
      if (found.isPresent() || !clock.instant().isBefore(end)) return found;
      sleeper.sleep(every);
    }
  }
}
