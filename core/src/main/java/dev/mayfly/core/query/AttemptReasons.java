package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.plan.CrashLoops;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.text.AttemptCauses;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Why a job's attempts ended without a result, for {@link JobExplainer}: the most frequent first.
 */
final class AttemptReasons {
  private static final int CAUSES = 3;

  private AttemptReasons() {}

  /**
   * Empty for a job that succeeded, because nothing holds it up. A stop is not a failure, and a job
   * that ended gets no more machines anyway.
   */
  static List<JobExplanation.Reason> of(Job job, List<Shard> shards, Instant now) {
    var ended = job.state() instanceof JobState.Ended;
    if (job.state() instanceof JobState.Ended end && end.result() == JobState.Result.SUCCEEDED)
      return List.of();
    var loop =
        CrashLoops.of(shards).filter(_ -> !ended).map(veto -> VetoText.of(veto, now)).stream()
            .map(text -> new JobExplanation.Reason(text.kind(), text.text()));
    return Stream.concat(loop, commonest(shards)).toList();
  }

  private static Stream<JobExplanation.Reason> commonest(List<Shard> shards) {
    var failures = shards.stream().flatMap(s -> s.evidence().stream()).toList();
    return AttemptCauses.of(failures).entrySet().stream()
        .limit(CAUSES)
        .map(e ->
            new JobExplanation.Reason(
                "failing", HumanAmounts.count(e.getValue(), "attempt") + " ended: " + e.getKey()));
  }
}
