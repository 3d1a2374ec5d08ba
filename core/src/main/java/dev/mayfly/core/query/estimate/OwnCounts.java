package dev.mayfly.core.query.estimate;

import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What running tasks tell of their end by their own counts, before one of them has ended.
 *
 * @param running those that run, with a count or without
 */
record OwnCounts(List<RunningReader.Running> running) {
  private static final Duration NEW = Duration.ofSeconds(30);

  /** By when a task has told something that tells anything. */
  private static final Duration TOLD_AFTER = Duration.ofMinutes(1);

  /** Behind where a task goes on that has told nothing since. */
  private static final String KEPT =
      ", which its checkpoint keeps and after which it goes on, as fast as its attempt before";

  /** What all of each takes that counts. */
  List<Double> seconds() {
    return running.stream().flatMap(task -> task.secondsOfAll().stream()).toList();
  }

  /** Half a sentence: by what the end is said. At least one counts. */
  String text(Instant now) {
    var all =
        running.stream()
            .filter(task -> task.secondsOfAll().isPresent())
            .map(task -> task.counted().orElseThrow())
            .sorted(Comparator.comparingDouble(count -> count.progress().part()))
            .toList();
    var first = all.getFirst();
    var least = first.progress().text() + (first.before() ? KEPT : age(first.at(), now));
    if (running.size() == 1) return "by its own count: " + least;
    if (all.size() == running.size())
      return "by their own counts: %s is the least".formatted(least);
    return all.size() == 1
        ? "by the count of one of them: " + least
        : "by the counts of %,d of them: %s is the least".formatted(all.size(), least);
  }

  /** A count that was read just now needs no age. */
  private static String age(Instant at, Instant now) {
    return Duration.between(at, now).compareTo(NEW) < 0 ? "" : ", " + HumanDuration.ago(at, now);
  }

  /**
   * Why nothing is known, where none counts. What helps is said only where no other task can end
   * first.
   *
   * @param open tasks of the job that have not ended
   */
  String lacking(long open, Instant now) {
    if (open > running.size()) return "none of its tasks has ended yet";
    var isNew =
        running.stream()
            .flatMap(task -> task.since().stream())
            .anyMatch(since -> since.plus(TOLD_AFTER).isAfter(now));
    return isNew
        ? "none of its tasks has ended yet, and what they report is not read yet"
        : "none of its tasks has ended yet, and none reports how far it is (as step and total_steps in $MAYFLY_METRICS)";
  }
}
