package dev.mayfly.core.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Values that were read a moment ago. No lock is held while one is read, so two may read the same;
 * what was begun to be read before everything was forgotten is not kept.
 */
final class Fresh<V> {
  private record Seen<V>(Optional<V> value, Instant at) {}

  private final InstantSource clock;
  private final Duration fresh;
  private final Map<String, Seen<V>> seen = new HashMap<>();
  private long era;

  Fresh(InstantSource clock, Duration fresh) {
    this.clock = clock;
    this.fresh = fresh;
  }

  /** The value, not older than any may be. */
  Optional<V> get(String key, Supplier<Optional<V>> read) {
    return get(key, _ -> fresh, read);
  }

  /**
   * The value, not older than any may be.
   *
   * @param most how old this one may be, by what it was
   */
  Optional<V> get(String key, Function<Optional<V>, Duration> most, Supplier<Optional<V>> read) {
    synchronized (this) {
      var known = seen.get(key);
      if (known != null
          && !old(known)
          && !Pause.over(known.at(), most.apply(known.value()), clock.instant()))
        return known.value();
    }
    return again(key, read);
  }

  /** The value as it is now, whatever was read before. */
  Optional<V> again(String key, Supplier<Optional<V>> read) {
    long begun;
    synchronized (this) {
      begun = era;
    }
    var at = clock.instant();
    var value = read.get();
    keep(key, new Seen<>(value, at), begun);
    return value;
  }

  private synchronized void keep(String key, Seen<V> next, long begun) {
    if (begun != era) return;
    seen.values().removeIf(this::old);
    seen.merge(key, next, (known, now) -> known.at().isAfter(now.at()) ? known : now);
  }

  synchronized void forget() {
    seen.clear();
    era++;
  }

  private boolean old(Seen<V> known) {
    return Pause.over(known.at(), fresh, clock.instant());
  }
}
