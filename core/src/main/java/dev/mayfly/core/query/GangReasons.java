package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.text.GangProgress;
import java.util.ArrayList;
import java.util.List;

/** The progress of tasks that run on several hosts at once, and what they wait for. */
final class GangReasons {
  private static final int TASKS = 3;

  private GangReasons() {}

  /** Of leased shards; empty for tasks that run on one host. */
  static List<JobExplanation.Reason> running(List<Shard> leased) {
    var reasons = new ArrayList<JobExplanation.Reason>();
    for (var shard : leased)
      if (reasons.size() < TASKS)
        shard
            .gang()
            .ifPresent(run ->
                reasons.add(
                    new JobExplanation.Reason(
                        "gang", "task " + shard.start() + GangProgress.describe(run))));
    return reasons;
  }
}
