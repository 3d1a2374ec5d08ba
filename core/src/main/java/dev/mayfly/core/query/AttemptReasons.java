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
import java.util.Optional;
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
    return Stream.concat(loop, commonest(job, shards)).toList();
  }

  private static Stream<JobExplanation.Reason> commonest(Job job, List<Shard> shards) {
    var causes = AttemptCauses.of(shards.stream().flatMap(s -> s.evidence().stream()).toList());
    var told =
        causes.stream()
            .limit(CAUSES)
            .map(it ->
                reason(
                    it.nobodysFault(),
                    HumanAmounts.count(it.attempts(), "attempt") + " ended: " + it.words()));
    var rest = causes.stream().skip(CAUSES).toList();
    var nobodys = rest.stream().allMatch(AttemptCauses.Cause::nobodysFault);
    return Stream.concat(
        told, others(job, shards, rest).stream().map(text -> reason(nobodys, text)));
  }

  private static JobExplanation.Reason reason(boolean nobodysFault, String text) {
    return new JobExplanation.Reason(nobodysFault ? "interrupted" : "failing", text);
  }

  /** A task that failed and runs again is not among those that failed for good. */
  private static Optional<String> others(
      Job job, List<Shard> shards, List<AttemptCauses.Cause> rest) {
    if (rest.isEmpty()) return Optional.empty();
    // A newer job may have the name of one that has ended.
    var name = job.state() instanceof JobState.Ended ? job.uid() : job.spec().name();
    var forGood = shards.stream().anyMatch(s -> s.failed().count() > 0);
    return Optional.of(
        "%s of %s%s"
            .formatted(
                AttemptCauses.others(rest.size()),
                HumanAmounts.count(
                    rest.stream().mapToLong(AttemptCauses.Cause::attempts).sum(), "attempt"),
                forGood ? AttemptCauses.ofFailed(name) : ": mayfly tasks " + name));
  }
}
