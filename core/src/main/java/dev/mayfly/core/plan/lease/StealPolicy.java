package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.document.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Where a leased shard may be cut so that somebody idle can run its rest.
 *
 * <p>Only what its holder can't have begun is taken, as far as the ledger knows; a task that was
 * begun all the same runs twice and is published once. Work that must not run twice is never taken.
 */
public final class StealPolicy {
  private static final Duration AHEAD = Duration.ofSeconds(10);

  private StealPolicy() {}

  /**
   * The first index that may be taken, or empty if the shard is to be left alone.
   *
   * @param slots how many of its tasks the holder may run at a time
   * @param rest a shard that should end within this is left alone
   */
  public static OptionalLong splitIndex(
      Shard shard, long slots, Duration pause, Duration rest, Instant now) {
    var from = firstUnstarted(shard, slots, pause, now);
    if (from.isEmpty()) return from;
    var begun = from.getAsLong();
    var left = open(shard, begun);
    var rate = rate(shard);
    if (left == 0 || (rate > 0 && left / rate < rest.toSeconds())) return OptionalLong.empty();
    return OptionalLong.of(half(shard, begun, left));
  }

  /** The first index that its holder can't have begun, if there is an open task from there on. */
  public static OptionalLong firstUnstarted(Shard shard, long slots, Duration pause, Instant now) {
    if (shard.state() != Shard.State.LEASED || allowedFrom(shard, pause).isAfter(now))
      return OptionalLong.empty();
    var told = Math.max(shard.start() + 1, shard.cursor());
    var begun = told + begunSince(shard, slots, now);
    if (begun >= shard.end() || open(shard, begun) == 0) return OptionalLong.empty();
    return OptionalLong.of(begun);
  }

  /** From when on anything may be taken of a leased shard. */
  public static Instant allowedFrom(Shard shard, Duration pause) {
    var split = shard.splitAt().plus(pause);
    var told = unknown(shard) ? shard.leasedAt().plus(AHEAD) : split;
    return told.isAfter(split) ? told : split;
  }

  private static boolean unknown(Shard shard) {
    return shard.leasedAt().equals(shard.checkpointAt());
  }

  /**
   * How many tasks may have begun since its holder told of them. Where tasks are so long that
   * hardly one ended since, none: if one did begin, what is run twice is a small part of it.
   */
  private static long begunSince(Shard shard, long slots, Instant now) {
    if (unknown(shard)) return Math.max(1, slots) - 1;
    var since = Duration.between(shard.checkpointAt(), now).plus(AHEAD).toMillis() / 1e3;
    var ended = rate(shard) * since;
    return 2 * ended < 1 ? 0 : Math.max(1, slots) + (long) Math.ceil(ended);
  }

  /** Tasks that ended in a second, as far as the ledger knows; 0 if it knows nothing. */
  private static double rate(Shard shard) {
    if (unknown(shard)) return 0;
    var known = Duration.between(shard.leasedAt(), shard.checkpointAt());
    var ended = shard.done().within(shard.start(), shard.cursor()).count();
    return 1e3 * ended / known.toMillis();
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
