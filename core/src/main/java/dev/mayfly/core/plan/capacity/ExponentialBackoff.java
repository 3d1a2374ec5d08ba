package dev.mayfly.core.plan.capacity;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A pause that doubles with each failure, so that repeated failures are retried less and less
 * often.
 *
 * @param first the pause while all failures count as one; a user that pauses only after several
 *     begins with a longer one if these failed one after another
 * @param most the longest pause
 * @param memory how long a failure is remembered
 */
record ExponentialBackoff(Duration first, Duration most, Duration memory) {
  /** Failures within this time count as one: many machines of one pass show one cause. */
  private static final Duration SAME_CAUSE_WITHIN = Duration.ofMinutes(2);

  /** The failures that still count, oldest first. */
  List<Instant> counted(List<Instant> seen, Instant now) {
    return seen.stream().filter(at -> at.plus(memory).isAfter(now)).sorted().toList();
  }

  /** Until when to pause; empty if a retry is allowed now. */
  Optional<Instant> until(List<Instant> seen, Instant now) {
    var counted = counted(seen, now);
    if (counted.isEmpty()) return Optional.empty();
    var times = 1;
    for (var i = 1; i < counted.size(); i++)
      if (counted.get(i).isAfter(counted.get(i - 1).plus(SAME_CAUSE_WITHIN))) times++;
    var pause = first.multipliedBy(1L << Math.min(times - 1, 20));
    var end = counted.getLast().plus(pause.compareTo(most) < 0 ? pause : most);
    return Optional.of(end).filter(at -> at.isAfter(now));
  }
}
