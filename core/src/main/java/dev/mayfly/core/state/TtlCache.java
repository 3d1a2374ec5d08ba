package dev.mayfly.core.state;

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
public final class TtlCache<V> {
  private record Seen<V>(Optional<V> value, Instant at) {}

  private final InstantSource clock;
  private final Duration fresh;
  private final Map<String, Seen<V>> seen = new HashMap<>();
  private long era;

  public TtlCache(InstantSource clock, Duration fresh) {
    this.clock = clock;
    this.fresh = fresh;
  }

  /** The value, not older than any may be. */
  public Optional<V> get(String key, Supplier<Optional<V>> read) {
    return get(key, _ -> fresh, read);
  }

  /**
   * The value, not older than any may be.
   *
   * @param most how old this one may be, by what it was
   */
  public Optional<V> get(
      String key, Function<Optional<V>, Duration> most, Supplier<Optional<V>> read) {
    synchronized (this) {
      var known = seen.get(key);
      if (known != null
          && !old(known)
          && !ElapsedTime.hasPassed(known.at(), most.apply(known.value()), clock.instant()))
        return known.value();
    }
    return reload(key, read);
  }

  /** The value as it is now, whatever was read before. */
  public Optional<V> reload(String key, Supplier<Optional<V>> read) {
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

  public synchronized void clear() {
    seen.clear();
    era++;
  }

  private boolean old(Seen<V> known) {
    return ElapsedTime.hasPassed(known.at(), fresh, clock.instant());
  }
}
