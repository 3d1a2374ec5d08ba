package dev.mayfly.core.plan.capacity;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A pause that doubles with each time that something failed: what fails again and again is tried
 * more and more seldom.
 *
 * @param first the pause after the first time
 * @param most the longest
 * @param memory for how long a time is remembered
 */
record ExponentialBackoff(Duration first, Duration most, Duration memory) {
  /** What failed within this is one time: many machines of one round learn one thing. */
  private static final Duration ONE = Duration.ofMinutes(2);

  /** The times that count, oldest first. */
  List<Instant> counted(List<Instant> seen, Instant now) {
    return seen.stream().filter(at -> at.plus(memory).isAfter(now)).sorted().toList();
  }

  /** Until when it is not tried; empty if it may be tried now. */
  Optional<Instant> until(List<Instant> seen, Instant now) {
    var counted = counted(seen, now);
    if (counted.isEmpty()) return Optional.empty();
    var times = 1;
    for (var i = 1; i < counted.size(); i++)
      if (counted.get(i).isAfter(counted.get(i - 1).plus(ONE))) times++;
    var pause = first.multipliedBy(1L << Math.min(times - 1, 20));
    var end = counted.getLast().plus(pause.compareTo(most) < 0 ? pause : most);
    return Optional.of(end).filter(at -> at.isAfter(now));
  }
}
