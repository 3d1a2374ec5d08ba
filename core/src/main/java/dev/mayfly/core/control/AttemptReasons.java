package dev.mayfly.core.control;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.ExitCode;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.plan.Amounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How a job's attempts ended that left no result, for {@link Explainer}: the commonest first. */
final class AttemptReasons {
  private static final int CAUSES = 3;

  private AttemptReasons() {}

  /**
   * Nothing for a job that succeeded: what went wrong on the way holds nothing up. A stop is no
   * failure.
   */
  static List<Explanation.Reason> of(Job job, List<Shard> shards) {
    if (job.state() instanceof JobState.Ended ended && ended.result() == JobState.Result.SUCCEEDED)
      return List.of();
    Map<String, Long> ends =
        shards.stream()
            .flatMap(s -> s.evidence().stream())
            .filter(f -> f.cause() != Cause.STOPPED && f.cause() != Cause.RETURNED)
            .collect(
                Collectors.groupingBy(
                    AttemptReasons::end, LinkedHashMap::new, Collectors.counting()));
    return ends.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(CAUSES)
        .map(e ->
            new Explanation.Reason(
                "failing", Amounts.count(e.getValue(), "attempt") + " ended: " + e.getKey()))
        .toList();
  }

  private static String end(Failure failure) {
    var cause =
        failure.cause() == Cause.USER
            ? "user error"
            : failure.cause().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    // Where there was no process there is no exit code.
    var exited = failure.exitCode() >= 0;
    return cause
        + (exited ? ", " + ExitCode.words(failure.exitCode()) : "")
        + (failure.evidence().isBlank() ? "" : ": " + failure.evidence().strip());
  }
}
