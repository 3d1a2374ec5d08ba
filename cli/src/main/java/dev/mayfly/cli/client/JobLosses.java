package dev.mayfly.cli.client;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a job's attempts ran for nothing that ended by no fault of theirs: their machines ended, or
 * Mayfly ended them.
 */
final class JobLosses {
  private JobLosses() {}

  /** Of the newest of its attempts, which are all of most jobs; empty if it lost nothing. */
  static Optional<String> of(JobStatus job) {
    var some =
        job.failures().stream()
            .filter(failure -> failure.isNobodysFault() && failure.ran().isPositive())
            .toList();
    if (some.isEmpty()) return Optional.empty();
    var ran = sum(some, AttemptFailure::ran);
    var lost = sum(some, AttemptFailure::wasted);
    return Optional.of(
        "lost: %s of the %s that %s ran (%s)%s"
            .formatted(
                lost.equals(ran) ? "all" : HumanDuration.result(lost),
                HumanDuration.result(ran),
                HumanAmounts.count(some.size(), "attempt"),
                causes(some),
                kept(some)));
  }

  private static Duration sum(List<AttemptFailure> some, Function<AttemptFailure, Duration> of) {
    return some.stream().map(of).reduce(Duration.ZERO, Duration::plus);
  }

  /** {@code 2 preempted, 1 lost}; of one attempt no number. */
  private static String causes(List<AttemptFailure> some) {
    var counts = new TreeMap<String, Long>();
    for (var failure : some)
      counts.merge(
          failure.cause().name().toLowerCase(Locale.ROOT).replace('_', ' '), 1L, Long::sum);
    if (some.size() == 1) return counts.firstKey();
    return String.join(
        ", ", counts.entrySet().stream().map(it -> it.getValue() + " " + it.getKey()).toList());
  }

  private static String kept(List<AttemptFailure> some) {
    var kept = some.stream().filter(AttemptFailure::isKept).count();
    if (kept == 0)
      return some.size() == 1 ? "; it stored no checkpoint" : "; none stored a checkpoint";
    if (some.size() == 1) return "; its checkpoint keeps the rest";
    return kept == some.size()
        ? "; their checkpoints keep the rest"
        : "; the checkpoints of %,d of them keep the rest".formatted(kept);
  }
}
