package dev.mayfly.core.text;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Shard;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why attempts ended without a result, in words, with how many ended so: the most frequent first.
 * Those whose words differ in paths and numbers alone have one cause, which {@link CauseForm} says.
 */
public final class AttemptCauses {
  private AttemptCauses() {}

  /**
   * Attempts of one cause.
   *
   * @param words of the first of them, and that others differ where they do
   * @param nobodysFault whether their machines, storage, the cloud or Mayfly ended them
   * @param tasks whose attempts they were
   */
  public record Cause(String words, long attempts, boolean nobodysFault, Set<Long> tasks) {
    public Cause {
      tasks = Set.copyOf(tasks);
    }
  }

  /** A stop is no failure. */
  public static List<Cause> of(List<AttemptFailure> failures) {
    return of(failures, AttemptCauses::words);
  }

  /** The attempt whose words the first of these causes has; empty without one. */
  public static Optional<AttemptFailure> first(List<AttemptFailure> failures) {
    return alike(failures).map(List::getFirst).findFirst();
  }

  private static List<Cause> of(
      List<AttemptFailure> failures, Function<AttemptFailure, String> words) {
    return alike(failures)
        .map(some ->
            new Cause(
                words.apply(some.getFirst())
                    + CauseForm.differing(some.stream().map(AttemptFailure::summary)),
                some.size(),
                some.getFirst().isNobodysFault(),
                some.stream().map(AttemptFailure::index).collect(Collectors.toSet())))
        .toList();
  }

  /** Those of one cause together, the most of them first. */
  private static Stream<List<AttemptFailure>> alike(List<AttemptFailure> failures) {
    return failures.stream()
        .filter(f -> f.cause() != FailureCause.STOPPED && f.cause() != FailureCause.RETURNED)
        .collect(
            Collectors.groupingBy(
                f -> how(f) + CauseForm.of(f.summary()), LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .sorted(Comparator.comparingInt(some -> -some.size()));
  }

  /**
   * Why most tasks failed for good, what they said first, which a narrow list keeps: by the newest
   * attempt of each. What other tasks survived, such as a preemption, is no cause. Empty if none of
   * the shards has such a task.
   *
   * @param job its uid, for the command that lists the other causes: a newer job may have its name
   */
  public static Optional<String> ofFailedTasks(List<Shard> shards, String job) {
    var last = new LinkedHashMap<Long, AttemptFailure>();
    for (var shard : shards)
      for (var failure : shard.evidence())
        if (shard.failed().has(failure.index()))
          last.merge(
              failure.index(), failure, (one, other) -> one.at().isAfter(other.at()) ? one : other);
    var causes = of(List.copyOf(last.values()), AttemptCauses::evidenceFirst);
    var others = causes.size() - 1;
    return causes.stream()
        .findFirst()
        .map(first -> first.words() + (others > 0 ? ", " + others(others) + ofFailed(job) : ""));
  }

  /** {@code and 1 other cause}. */
  public static String others(int causes) {
    return "and " + HumanAmounts.count(causes, "other cause");
  }

  /** How to see the causes of all tasks that failed for good, after what they are. */
  public static String ofFailed(String job) {
    return ": mayfly tasks " + job + " --state failed";
  }

  private static String words(AttemptFailure failure) {
    return how(failure) + (failure.evidence().isBlank() ? "" : ": " + failure.summary());
  }

  /** Its last words are no cause for which a program was killed. */
  private static String evidenceFirst(AttemptFailure failure) {
    return failure.evidence().isBlank() || failure.cause() == FailureCause.OUT_OF_MEMORY
        ? words(failure)
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
