package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What tasks still take that wait after a loss, by the counts of their attempts before and from
 * their checkpoints on. Times are in seconds.
 *
 * @param left of each, all of those that are open; empty if one of them tells nothing
 */
record KeptWork(List<RunningReader.Counted> counts, List<Double> left) {
  static final KeptWork NONE = new KeptWork(List.of(), List.of());

  /** More have other tasks that tell more. */
  private static final int MOST_TASKS = 20;

  /** With a read of some ranges, and of each machine that an attempt was lost with. */
  static KeptWork of(Ledger ledger, Job job, TaskTotals totals, Instant now) {
    if (totals.open() == 0 || totals.open() > MOST_TASKS) return NONE;
    var shards = JobLosses.of(ledger, job).shards();
    var earlier = new EarlierCounts(ledger, job, shards);
    var counts = new ArrayList<RunningReader.Counted>();
    for (var shard : shards)
      for (var i = shard.start(); i < shard.end(); i++)
        if (!shard.done().has(i) && !shard.failed().has(i))
          earlier.of(shard.start(), i, now).ifPresent(counts::add);
    var left = counts.stream().flatMap(it -> it.progress().secondsLeft().stream()).toList();
    return left.size() == totals.open() ? new KeptWork(counts, left) : NONE;
  }

  boolean isKnown() {
    return !left.isEmpty();
  }

  DurationSample took() {
    return new DurationSample(left, left.size());
  }

  /** Half a sentence. */
  String basis() {
    var least = counts.getFirst().progress().text();
    return counts.size() == 1
        ? "by its own count: %s, from which it goes on".formatted(least)
        : "by their own counts, from which they go on";
  }
}
