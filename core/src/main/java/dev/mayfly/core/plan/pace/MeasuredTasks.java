package dev.mayfly.core.plan.pace;

import dev.mayfly.core.model.document.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures what tasks of a job take, by its ranges: for how long a machine had one, how many of its
 * tasks could run at a time, and how many have ended. Waits and failed attempts are in it, so that
 * it is rather too long.
 *
 * <p><b>Must:</b> know nothing while a machine has tasks that should have ended by that measure:
 * those that wait may take as long.
 */
public final class MeasuredTasks {
  /**
   * Within this time after a task has ended, the ledger knows it if it is the last of its range.
   */
  private static final Duration NEWS = Duration.ofSeconds(30);

  private final Collection<Shard> shards;
  private final long slots;

  private MeasuredTasks(Collection<Shard> shards, long slots) {
    this.shards = shards;
    this.slots = Math.max(1, slots);
  }

  /**
   * @param shards of one job, all leased ones among them
   * @param slots how many of its tasks run at once on the largest machine
   */
  public static Optional<Duration> each(Collection<Shard> shards, long slots, Instant now) {
    var measured = new MeasuredTasks(shards, slots);
    return measured.mean().filter(each -> measured.allInTime(each, now));
  }

  private Optional<Duration> mean() {
    var ended = 0L;
    var millis = 0.0;
    for (var shard : shards) {
      if (!isMeasured(shard)) continue;
      ended += shard.done().count();
      millis +=
          atOnce(shard.size())
              * Duration.between(shard.leasedAt(), shard.checkpointAt()).toMillis();
    }
    return ended == 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis((long) Math.ceil(millis / ended)));
  }

  /**
   * What is done of it was done in its only lease. Of a range that was cut from one that had run
   * before, some was not: what tasks take is too short then, and soon not true any more.
   */
  private static boolean isMeasured(Shard shard) {
    return shard.epoch() == 1
        && shard.done().count() > 0
        && !shard.isLeasable()
        && shard.checkpointAt().isAfter(shard.leasedAt());
  }

  private long atOnce(long tasks) {
    return Math.max(1, Math.min(slots, tasks));
  }

  private boolean allInTime(Duration each, Instant now) {
    var byMachine = new HashMap<String, List<Shard>>();
    for (var shard : shards)
      if (shard.state() == Shard.State.LEASED && shard.open() > 0)
        byMachine.merge(
            shard.owner().map(Shard.Owner::worker).orElse(""),
            List.of(shard),
            (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
    return byMachine.values().stream().allMatch(its -> isInTime(its, each, now));
  }

  private boolean isInTime(List<Shard> its, Duration each, Instant now) {
    var open = its.stream().mapToLong(Shard::open).sum();
    var rounds = Math.ceilDiv(open, atOnce(its.stream().mapToLong(Shard::size).sum())) + 1;
    var news = its.stream().map(Shard::checkpointAt).max(Instant::compareTo).orElseThrow();
    return !now.isAfter(news.plus(each.multipliedBy(rounds)).plus(NEWS));
  }
}
