package dev.mayfly.core.model.job;

import java.util.List;

/**
 * Separate budgets of failed attempts.
 *
 * @param failures how many attempts may fail by the user's fault; the last of them fails the task
 * @param infrastructure how many attempts may fail by the infrastructure, preemptions included
 * @param onDemand when spot machines are not enough
 * @param exitCodes what other exit codes than 0 mean; a failure by the user's fault by default
 */
public record RetryRules(
    int failures, int infrastructure, OnDemandRules onDemand, List<ExitCodeRule> exitCodes) {
  public RetryRules {
    exitCodes = List.copyOf(exitCodes);
  }

  public RetryRules(int failures, int infrastructure) {
    this(failures, infrastructure, OnDemandRules.NEVER, List.of());
  }
}
