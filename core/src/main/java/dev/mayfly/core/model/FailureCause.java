package dev.mayfly.core.model;

import dev.mayfly.core.model.job.JobSpec;

/** Why an attempt ended without a result. Decided from evidence, and kept. */
public enum FailureCause {
  /** The cloud took the machine and said so. */
  PREEMPTED(Budget.INFRASTRUCTURE),
  /** The machine or its agent was not heard of again. */
  LOST(Budget.INFRASTRUCTURE),
  OUT_OF_MEMORY(Budget.FAILURES),
  TIMEOUT(Budget.FAILURES),
  /** The command ended with another exit code than 0, or could not be started as it is written. */
  USER(Budget.FAILURES),
  /** An object that is not ours lies at the output. */
  OUTPUT_EXISTS(Budget.FAILURES),
  /** The machine's device, disk, network or the object store. */
  INFRASTRUCTURE(Budget.INFRASTRUCTURE),
  /** Somebody stopped the job. */
  STOPPED(Budget.NONE),
  /** Given back before it began or while the worker drains. */
  RETURNED(Budget.NONE);

  /** Which of {@link JobSpec.Retries} pays for it. */
  public enum Budget {
    FAILURES,
    INFRASTRUCTURE,
    NONE
  }

  private final Budget budget;

  FailureCause(Budget budget) {
    this.budget = budget;
  }

  public Budget budget() {
    return budget;
  }
}
