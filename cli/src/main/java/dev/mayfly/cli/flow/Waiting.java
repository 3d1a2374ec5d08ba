package dev.mayfly.cli.flow;

import dev.mayfly.core.error.Unavailable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Looks again until something is there. */
public record Waiting(InstantSource clock, Pause pause) {
  /** Lets time pass. */
  public interface Pause {
    void pause(Duration span);
  }

  /** Lets the real time pass; an interrupt ends the command. */
  public static void sleep(Duration span) {
    try {
      Thread.sleep(span);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted while waiting", e);
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
      pause.pause(every);
    }
  }
}
