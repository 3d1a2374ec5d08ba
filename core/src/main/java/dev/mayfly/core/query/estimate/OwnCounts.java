package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.TaskProgress;
import java.util.Comparator;
import java.util.List;

/**
 * What running tasks tell of their end by their own counts, before one of them has ended.
 *
 * @param running those that run, with a count or without
 */
record OwnCounts(List<RunningReader.Running> running) {
  /** What all of each takes that counts. */
  List<Double> seconds() {
    return running.stream().flatMap(task -> task.secondsOfAll().stream()).toList();
  }

  /** Half a sentence: by what the end is said. At least one counts. */
  String text() {
    var all =
        running.stream()
            .filter(task -> task.secondsOfAll().isPresent())
            .map(task -> task.counted().orElseThrow().progress())
            .sorted(Comparator.comparingDouble(TaskProgress::part))
            .toList();
    var least = all.getFirst().text();
    if (running.size() == 1) return "by its own count: " + least;
    if (all.size() == running.size())
      return "by their own counts: %s is the least".formatted(least);
    return all.size() == 1
        ? "by the count of one of them: " + least
        : "by the counts of %,d of them: %s is the least".formatted(all.size(), least);
  }

  /**
   * Why nothing is known, where none counts. What helps is said only where no other task can end
   * first.
   *
   * @param open tasks of the job that have not ended
   */
  String lacking(long open) {
    return open > running.size()
        ? "none of its tasks has ended yet"
        : "none of its tasks has ended yet, and none reports how far it is (as step and total_steps in $MAYFLY_METRICS)";
  }
}
