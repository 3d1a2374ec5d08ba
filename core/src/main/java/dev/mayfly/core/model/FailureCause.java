package dev.mayfly.core.model;

import dev.mayfly.core.model.job.RetryRules;

/** Why an attempt ended without a result. Derived from evidence, and stored. */
public enum FailureCause {
  /** The cloud preempted the machine and announced it. */
  PREEMPTED(Budget.INFRASTRUCTURE),
  /** The machine or its agent fell silent. */
  LOST(Budget.INFRASTRUCTURE),
  OUT_OF_MEMORY(Budget.FAILURES),
  TIMEOUT(Budget.FAILURES),
  /** The command exited with a nonzero code, or cannot be started as written. */
  USER(Budget.FAILURES),
  /** The output exists already and is not Mayfly's. */
  OUTPUT_EXISTS(Budget.FAILURES),
  /** The machine's device, disk or network failed, or the object store. */
  INFRASTRUCTURE(Budget.INFRASTRUCTURE),
  /** The time that its machine may live was over. */
  END_OF_LIFE(Budget.PLATFORM),
  /** Its worker was drained: by a user, for a replacement, a lowered maximum, a changed slice. */
  DRAINED(Budget.PLATFORM),
  /** A task of a higher priority got its room. It counts in no budget. */
  OUTRANKED(Budget.PLATFORM),
  /**
   * Another worker had been given the task, because its start here was not known. It is no attempt
   * of the task that runs there, and counts in no budget.
   */
  TAKEN(Budget.PLATFORM),
  /** The job was stopped. */
  STOPPED(Budget.NONE),
  /** Given back before it started. */
  RETURNED(Budget.NONE);

  /** The budget of {@link RetryRules} that it counts against. */
  public enum Budget {
    FAILURES,
    INFRASTRUCTURE,
    /** Mayfly itself ended the attempt, by its own plan. */
    PLATFORM,
    NONE
  }

  private final Budget budget;

  FailureCause(Budget budget) {
    this.budget = budget;
  }

  public Budget budget() {
    return budget;
  }

  /**
   * Whether what the attempt left on its machine may show why it failed: it was ended by no order
   * and no deadline, and its machine is still there.
   */
  public boolean showsOnMachine() {
    return switch (this) {
      case USER, OUT_OF_MEMORY, INFRASTRUCTURE -> true;
      case PREEMPTED,
          LOST,
          TIMEOUT,
          OUTPUT_EXISTS,
          END_OF_LIFE,
          DRAINED,
          OUTRANKED,
          TAKEN,
          STOPPED,
          RETURNED ->
          false;
    };
  }
}
