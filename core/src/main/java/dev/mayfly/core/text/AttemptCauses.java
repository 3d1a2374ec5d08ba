package dev.mayfly.core.text;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Shard;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Why attempts ended without a result, in words, with how many ended so: the most frequent first.
 */
public final class AttemptCauses {
  private AttemptCauses() {}

  /** A stop is no failure. */
  public static Map<String, Long> of(List<AttemptFailure> failures) {
    return of(failures, AttemptCauses::words);
  }

  private static Map<String, Long> of(
      List<AttemptFailure> failures, Function<AttemptFailure, String> words) {
    var ends =
        failures.stream()
            .filter(f -> f.cause() != FailureCause.STOPPED && f.cause() != FailureCause.RETURNED)
            .collect(Collectors.groupingBy(words, LinkedHashMap::new, Collectors.counting()));
    var sorted = new LinkedHashMap<String, Long>();
    ends.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    return sorted;
  }

  /**
   * Why most tasks failed for good, what they said first, which a narrow list keeps: by the newest
   * attempt of each. What other tasks survived, such as a preemption, is no cause. Empty if none of
   * the shards has such a task.
   */
  public static Optional<String> ofFailedTasks(List<Shard> shards) {
    var last = new LinkedHashMap<Long, AttemptFailure>();
    for (var shard : shards)
      for (var failure : shard.evidence())
        if (shard.failed().has(failure.index()))
          last.merge(
              failure.index(), failure, (one, other) -> one.at().isAfter(other.at()) ? one : other);
    return of(List.copyOf(last.values()), AttemptCauses::evidenceFirst).keySet().stream()
        .findFirst();
  }

  private static String words(AttemptFailure failure) {
    return how(failure) + (failure.evidence().isBlank() ? "" : ": " + failure.summary());
  }

  private static String evidenceFirst(AttemptFailure failure) {
    return failure.evidence().isBlank()
        ? how(failure)
        : failure.summary().strip() + " (" + how(failure) + ")";
  }

  private static String how(AttemptFailure failure) {
    var cause =
        failure.cause() == FailureCause.USER
            ? "user error"
            : failure.cause().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    // Without a process there is no exit code.
    var exited = failure.hadProcess();
    return cause + (exited ? ", " + ExitCode.format(failure.exitCode()) : "");
  }
}
