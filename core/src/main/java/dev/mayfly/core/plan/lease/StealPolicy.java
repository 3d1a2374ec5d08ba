package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.document.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Decides where a leased shard may be cut so that an idle worker can run its rest.
 *
 * <p>Only tasks that, as far as the ledger knows, the holder cannot have started are taken. A task
 * that was started nevertheless runs twice and is published once. Exclusive work is never taken.
 */
public final class StealPolicy {
  private static final Duration AHEAD = Duration.ofSeconds(10);

  private StealPolicy() {}

  /**
   * The first index that may be taken, or empty if the shard is to be left alone.
   *
   * @param slots how many of its tasks the holder may run at a time
   * @param rest a shard that should end within this time is left alone
   */
  public static OptionalLong splitIndex(
      Shard shard, long slots, Duration pause, Duration rest, Instant now) {
    var from = firstUnstarted(shard, slots, pause, now);
    if (from.isEmpty()) return from;
    var started = from.getAsLong();
    var left = open(shard, started);
    var rate = rate(shard);
    if (left == 0 || (rate > 0 && left / rate < rest.toSeconds())) return OptionalLong.empty();
    return OptionalLong.of(half(shard, started, left));
  }

  /** The first index that the holder cannot have started, if an open task follows. */
  public static OptionalLong firstUnstarted(Shard shard, long slots, Duration pause, Instant now) {
    if (shard.state() != Shard.State.LEASED || allowedFrom(shard, pause).isAfter(now))
      return OptionalLong.empty();
    var began = shard.cursor() > shard.start() && !neverReported(shard);
    var since = startedSince(shard, slots, now);
    var started =
        began
            ? afterOpen(shard, shard.cursor(), since)
            : afterOpen(shard, shard.start(), Math.max(1, since));
    if (started >= shard.end() || open(shard, started) == 0) return OptionalLong.empty();
    return OptionalLong.of(started);
  }

  /** The index after {@code n} open tasks: the holder skips those that have ended. */
  private static long afterOpen(Shard shard, long from, long n) {
    var left = n;
    var i = from;
    for (; left > 0 && i < shard.end(); i++) if (isOpen(shard, i)) left--;
    return i;
  }

  /** From when on tasks may be taken from a leased shard. */
  public static Instant allowedFrom(Shard shard, Duration pause) {
    var split = shard.splitAt().plus(pause);
    var reported = neverReported(shard) ? shard.leasedAt().plus(AHEAD) : split;
    return reported.isAfter(split) ? reported : split;
  }

  private static boolean neverReported(Shard shard) {
    return shard.leasedAt().equals(shard.checkpointAt());
  }

  /**
   * How many tasks may have started since ends were last surely counted. For tasks so long that
   * hardly one has ended since then, none: if one did start, running it twice repeats only a small
   * part of it.
   */
  private static long startedSince(Shard shard, long slots, Instant now) {
    if (neverReported(shard)) return Math.max(1, slots);
    var since = Duration.between(CountedEnds.of(shard, now), now).plus(AHEAD).toMillis() / 1e3;
    var ended = rate(shard) > 0 ? rate(shard) * since : CountedEnds.mostOfFirst(shard, slots, now);
    return 2 * ended < 1 ? 0 : Math.max(1, slots) + (long) Math.ceil(ended);
  }

  /** Tasks ended per second, as far as the ledger knows; 0 if it knows nothing. */
  private static double rate(Shard shard) {
    if (neverReported(shard)) return 0;
    var known = Duration.between(shard.leasedAt(), shard.checkpointAt());
    var ended = shard.done().within(shard.start(), shard.cursor()).count();
    return 1e3 * ended / known.toMillis();
  }

  private static long open(Shard shard, long from) {
    var n = 0L;
    for (var i = from; i < shard.end(); i++) if (isOpen(shard, i)) n++;
    return n;
  }

  /** The index that leaves the holder the first half, rounded down, of the open tasks. */
  private static long half(Shard shard, long from, long left) {
    var keep = left / 2;
    for (var i = from; i < shard.end(); i++) if (isOpen(shard, i) && keep-- == 0) return i;
    throw new IllegalStateException("no open task in " + shard.key().path());
  }

  private static boolean isOpen(Shard shard, long i) {
    return !shard.done().has(i) && !shard.failed().has(i);
  }
}
