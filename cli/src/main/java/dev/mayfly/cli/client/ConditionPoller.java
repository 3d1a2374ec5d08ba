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
   *
   * @param longest the longest pause between polls; the first ones are shorter
   */
  public <T> Optional<T> until(Duration limit, Duration longest, Supplier<Optional<T>> probe) {
    var end = clock.instant().plus(limit);
    var pauses = new PollPauses(longest);
    while (true) {
      var found = probe.get();
      if (found.isPresent() || !clock.instant().isBefore(end)) return found;
      sleeper.sleep(pauses.next());
    }
  }
}
