package dev.mayfly.core.query;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.text.ExitCode;
import dev.mayfly.core.text.HumanAmounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Why a job's attempts ended without a result, for {@link JobExplainer}: the most frequent first.
 */
final class AttemptReasons {
  private static final int CAUSES = 3;

  private AttemptReasons() {}

  /** Empty for a job that succeeded, because nothing holds it up. A stop is not a failure. */
  static List<JobExplanation.Reason> of(Job job, List<Shard> shards) {
    if (job.state() instanceof JobState.Ended ended && ended.result() == JobState.Result.SUCCEEDED)
      return List.of();
    Map<String, Long> ends =
        shards.stream()
            .flatMap(s -> s.evidence().stream())
            .filter(f -> f.cause() != FailureCause.STOPPED && f.cause() != FailureCause.RETURNED)
            .collect(
                Collectors.groupingBy(
                    AttemptReasons::end, LinkedHashMap::new, Collectors.counting()));
    return ends.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(CAUSES)
        .map(e ->
            new JobExplanation.Reason(
                "failing", HumanAmounts.count(e.getValue(), "attempt") + " ended: " + e.getKey()))
        .toList();
  }

  private static String end(AttemptFailure attemptFailure) {
    var cause =
        attemptFailure.cause() == FailureCause.USER
            ? "user error"
            : attemptFailure.cause().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    // Without a process there is no exit code.
    var exited = attemptFailure.exitCode() >= 0;
    return cause
        + (exited ? ", " + ExitCode.format(attemptFailure.exitCode()) : "")
        + (attemptFailure.evidence().isBlank() ? "" : ": " + attemptFailure.evidence().strip());
  }
}
