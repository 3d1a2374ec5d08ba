package dev.mayfly.core.lease;

import dev.mayfly.core.model.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Where a leased shard may be cut so that somebody idle can run its rest.
 *
 * <p>Only what its holder can't have begun is taken, as far as the ledger knows; a task that was
 * begun all the same runs twice and is published once. Work that must not run twice is never taken.
 */
public final class Steals {
  private static final Duration AHEAD = Duration.ofSeconds(10);

  private Steals() {}

  /**
   * The first index that may be taken, or empty if the shard is to be left alone.
   *
   * @param slots how many of its tasks the holder may run at a time
   * @param rest a shard that should end within this is left alone
   */
  public static OptionalLong cut(
      Shard shard, long slots, Duration pause, Duration rest, Instant now) {
    if (shard.state() != Shard.State.LEASED || shard.splitAt().plus(pause).isAfter(now))
      return OptionalLong.empty();
    var known = Duration.between(shard.leasedAt(), shard.checkpointAt());
    if (known.isZero() && shard.leasedAt().plus(AHEAD).isAfter(now)) return OptionalLong.empty();
    var rate = known.isZero() ? 0 : 1e3 * (shard.cursor() - shard.start()) / known.toMillis();
    var since = Duration.between(shard.checkpointAt(), now).plus(AHEAD).toMillis() / 1e3;
    var begun = shard.cursor() + Math.max(1, slots) + (long) Math.ceil(rate * since);
    if (begun >= shard.end()) return OptionalLong.empty();
    var left = open(shard, begun);
    if (left == 0 || (rate > 0 && left / rate < rest.toSeconds())) return OptionalLong.empty();
    return OptionalLong.of(half(shard, begun, left));
  }

  private static long open(Shard shard, long from) {
    var n = 0L;
    for (var i = from; i < shard.end(); i++) if (isOpen(shard, i)) n++;
    return n;
  }

  /** The index that leaves the first half, rounded down, of the open tasks to the holder. */
  private static long half(Shard shard, long from, long left) {
    var keep = left / 2;
    for (var i = from; i < shard.end(); i++) if (isOpen(shard, i) && keep-- == 0) return i;
    throw new IllegalStateException("no open task in " + shard.key().path());
  }

  private static boolean isOpen(Shard shard, long i) {
    return !shard.done().has(i) && !shard.failed().has(i);
  }
}
