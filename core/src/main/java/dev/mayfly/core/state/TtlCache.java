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
 * Caches values for a short time. No lock is held during a read, so two threads may read the same
 * value; a read that began before {@link #clear} is not cached.
 */
public final class TtlCache<V> {
  private record Entry<V>(Optional<V> value, Instant at) {}

  private final InstantSource clock;
  private final Duration fresh;
  private final Map<String, Entry<V>> entries = new HashMap<>();
  private long generation;

  public TtlCache(InstantSource clock, Duration fresh) {
    this.clock = clock;
    this.fresh = fresh;
  }

  public Optional<V> get(String key, Supplier<Optional<V>> read) {
    return get(key, _ -> fresh, read);
  }

  /**
   * The value, no older than this cache allows.
   *
   * @param most the maximum age of this value, by its content
   */
  public Optional<V> get(
      String key, Function<Optional<V>, Duration> most, Supplier<Optional<V>> read) {
    synchronized (this) {
      var known = entries.get(key);
      if (known != null
          && !isExpired(known)
          && !ElapsedTime.hasPassed(known.at(), most.apply(known.value()), clock.instant()))
        return known.value();
    }
    return reload(key, read);
  }

  /** Reads the value now, ignoring the cache. */
  public Optional<V> reload(String key, Supplier<Optional<V>> read) {
    long begun;
    synchronized (this) {
      begun = generation;
    }
    var at = clock.instant();
    var value = read.get();
    keep(key, new Entry<>(value, at), begun);
    return value;
  }

  private synchronized void keep(String key, Entry<V> next, long begun) {
    if (begun != generation) return;
    entries.values().removeIf(this::isExpired);
    entries.merge(key, next, (known, now) -> known.at().isAfter(now.at()) ? known : now);
  }

  public synchronized void clear() {
    entries.clear();
    generation++;
  }

  private boolean isExpired(Entry<V> known) {
    return ElapsedTime.hasPassed(known.at(), fresh, clock.instant());
  }
}
