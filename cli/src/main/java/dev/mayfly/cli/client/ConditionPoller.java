package dev.mayfly.cli.client;

import dev.mayfly.core.error.UnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Looks again until something is there. */
public record ConditionPoller(InstantSource clock, Sleeper sleeper) {
  /** Lets time pass. */
  public interface Sleeper {
    void sleep(Duration span);
  }

  /** Lets the real time pass; an interrupt ends the command. */
  public static void sleep(Duration span) {
    try {
      Thread.sleep(span);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while waiting", e);
    }
  }

  /**
   * What {@code look} found; empty if it found nothing for {@code limit}. It looks once at least.
   */
  public <T> Optional<T> until(Duration limit, Duration every, Supplier<Optional<T>> look) {
    var end = clock.instant().plus(limit);
    while (true) {
      var found = look.get();
      if (found.isPresent() || !clock.instant().isBefore(end)) return found;
      sleeper.sleep(every);
    }
  }
}
