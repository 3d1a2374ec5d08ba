package dev.mayfly.core.model.job;

import dev.mayfly.core.model.FailureCause;
import java.util.List;

/**
 * Separate budgets of failed attempts.
 *
 * @param failures how many attempts may fail by the user's fault; the last of them fails the task
 * @param infrastructure how many attempts may fail by the infrastructure, preemptions included; and
 *     apart from these, how many may end with the life of their machine
 * @param onDemand when spot machines are not enough
 * @param exitCodes what other exit codes than 0 mean; a failure by the user's fault by default
 */
public record RetryRules(
    int failures, int infrastructure, OnDemandRules onDemand, List<ExitCodeRule> exitCodes) {
  public RetryRules {
    exitCodes = List.copyOf(exitCodes);
  }

  /** How many attempts a task has that users or the cluster's changes may end. */
  private static final int LEAST_INTERRUPTIONS = 10;

  /**
   * How many attempts of a task Mayfly may end by its own plan: the last of them fails the task,
   * which would otherwise begin for ever. Its user chose how often it may be cut off by a life that
   * is too short, but not how often its cluster is changed.
   */
  public int interruptions(FailureCause cause) {
    return cause == FailureCause.END_OF_LIFE
        ? infrastructure
        : Math.max(infrastructure, LEAST_INTERRUPTIONS);
  }
}
