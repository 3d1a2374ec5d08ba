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
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why a job's attempts ended without a result, for {@link JobExplainer}: the most frequent first.
 */
final class AttemptReasons {
  private static final int CAUSES = 3;

  /** So many tasks that fail alike, while none succeeds, are no accident of their inputs. */
  private static final int ALIKE = 3;

  private AttemptReasons() {}

  /** Empty for a job that succeeded, because nothing holds it up. A stop is not a failure. */
  static List<JobExplanation.Reason> of(Job job, List<Shard> shards) {
    if (job.state() instanceof JobState.Ended ended && ended.result() == JobState.Result.SUCCEEDED)
      return List.of();
    var failures =
        shards.stream()
            .flatMap(s -> s.evidence().stream())
            .filter(f -> f.cause() != FailureCause.STOPPED && f.cause() != FailureCause.RETURNED)
            .toList();
    return Stream.concat(crashLoop(shards, failures).stream(), commonest(failures)).toList();
  }

  /** Empty once a task is done: then the command works, and what fails is in some tasks alone. */
  private static Optional<JobExplanation.Reason> crashLoop(
      List<Shard> shards, List<AttemptFailure> failures) {
    var tasks = failures.stream().map(AttemptFailure::index).distinct().count();
    var codes = failures.stream().map(AttemptFailure::exitCode).distinct().count();
    if (tasks < ALIKE
        || codes > 1
        || failures.stream().anyMatch(f -> f.cause() != FailureCause.USER)
        || shards.stream().anyMatch(s -> s.done().count() > 0)) return Optional.empty();
    var workers = failures.stream().map(AttemptFailure::worker).distinct().count();
    return Optional.of(
        new JobExplanation.Reason(
            "crash-loop",
            "no task has succeeded, and %s of %s on %s all ended with %s: look for the mistake in the command or its environment rather than in a task's input"
                .formatted(
                    HumanAmounts.count(failures.size(), "attempt"),
                    HumanAmounts.count(tasks, "task"),
                    HumanAmounts.count(workers, "worker"),
                    ExitCode.format(failures.getFirst().exitCode()))));
  }

  private static Stream<JobExplanation.Reason> commonest(List<AttemptFailure> failures) {
    Map<String, Long> ends =
        failures.stream()
            .collect(
                Collectors.groupingBy(
                    AttemptReasons::end, LinkedHashMap::new, Collectors.counting()));
    return ends.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(CAUSES)
        .map(e ->
            new JobExplanation.Reason(
                "failing", HumanAmounts.count(e.getValue(), "attempt") + " ended: " + e.getKey()));
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
        + (attemptFailure.evidence().isBlank() ? "" : ": " + attemptFailure.summary());
  }
}
