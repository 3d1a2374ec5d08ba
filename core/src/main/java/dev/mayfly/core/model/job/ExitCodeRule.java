package dev.mayfly.core.model.job;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import java.util.Comparator;
import java.util.List;

/**
 * What it means for a task's retries that its command exited with one of these codes.
 *
 * @param from the first code
 * @param to the last code
 */
public record ExitCodeRule(int from, int to, Action action) {
  /** The highest exit code of a process. */
  public static final int MOST = 255;

  /** What an attempt that exited so counts as. */
  public enum Action {
    /** A failure by the user's fault, as without a rule. */
    FAILURE,
    /** A failure by the infrastructure's: the user's attempts are not used up. */
    INFRASTRUCTURE,
    /** The task has failed for good, whatever attempts are left. */
    NEVER
  }

  public ExitCodeRule {
    if (from < 1 || to > MOST || from > to)
      throw new IllegalArgumentException(
          "exit codes %d-%d are no range within 1 to %d".formatted(from, to, MOST));
  }

  /**
   * What the attempt counts as: by the narrowest rule for its exit code, and of equally narrow ones
   * the lowest. Rules are about commands that exited by themselves, not about attempts that timed
   * out, were preempted or ran out of memory.
   */
  public static Action action(List<ExitCodeRule> rules, AttemptFailure failure) {
    if (failure.cause() != FailureCause.USER) return Action.FAILURE;
    return rules.stream()
        .filter(rule -> rule.from <= failure.exitCode() && failure.exitCode() <= rule.to)
        .min(
            Comparator.comparingInt((ExitCodeRule rule) -> rule.to - rule.from)
                .thenComparing(ExitCodeRule::from))
        .map(ExitCodeRule::action)
        .orElse(Action.FAILURE);
  }

  /** The attempt as the rules call it: an exit code of the infrastructure's is its failure. */
  public static AttemptFailure named(List<ExitCodeRule> rules, AttemptFailure failure) {
    return action(rules, failure) == Action.INFRASTRUCTURE
        ? failure.with(FailureCause.INFRASTRUCTURE)
        : failure;
  }
}
