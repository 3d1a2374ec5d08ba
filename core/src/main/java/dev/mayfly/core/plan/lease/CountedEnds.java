package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Until when the ends of tasks on machines are counted: what is done of a range is written after a
 * while, so that the newest ends are not known.
 */
public final class CountedEnds {
  private CountedEnds() {}

  /** When the tasks of a leased range were last surely not over, but for those that are counted. */
  public static Instant of(Shard shard, Instant now) {
    var unwritten = unwritten(shard);
    if (unwritten.isZero()) return now;
    // Once an end would be written at once, that nothing was is news.
    var heard = Timings.DEFAULT.syncInterval();
    var free = shard.checkpointAt().plus(unwritten).plus(heard);
    var sure = now.minus(now.isBefore(free) ? unwritten : heard);
    return sure.isAfter(shard.checkpointAt()) ? sure : shard.checkpointAt();
  }

  /**
   * The earliest of several ranges: after it more tasks may have ended than are counted. Empty if
   * all ends are counted.
   */
  public static Optional<Instant> ofAll(Collection<Shard> shards, Instant now) {
    return shards.stream()
        .filter(shard -> shard.state() == Shard.State.LEASED)
        .map(shard -> of(shard, now))
        .min(Comparator.naturalOrder())
        .filter(at -> at.isBefore(now));
  }

  /** How many ends of a range's tasks are not worth a write, however long ago the last one was. */
  private static long mostUnwritten(Shard shard) {
    var tasks = shard.end() - shard.start();
    return Math.max(0, (long) Math.ceil(Timings.DEFAULT.checkpointShare() * tasks) - 1);
  }

  /**
   * The most tasks that may have ended since the last checkpoint of a range of which none had until
   * then, so that each takes longer than it was old.
   *
   * @param slots that run its tasks
   */
  static long mostOfFirst(Shard shard, long slots, Instant now) {
    var age = Duration.between(shard.leasedAt(), shard.checkpointAt());
    var heard = Timings.DEFAULT.syncInterval();
    var since = Duration.between(shard.checkpointAt(), now).plus(heard);
    if (since.compareTo(Timings.checkpointPause(age).plus(heard.multipliedBy(2))) >= 0)
      return mostUnwritten(shard);
    var rounds = Math.ceilDiv(since.toMillis(), Math.max(1, age.toMillis()));
    return Math.max(1, slots) * rounds;
  }

  /** For how long an end of a task may be unwritten; the last one of a range is written at once. */
  private static Duration unwritten(Shard shard) {
    if (shard.end() - shard.start() <= 1) return Duration.ZERO;
    return mostUnwritten(shard) > 0
        ? Timings.DEFAULT.checkpointAfter()
        : Timings.checkpointPause(Duration.between(shard.leasedAt(), shard.checkpointAt()));
  }
}
