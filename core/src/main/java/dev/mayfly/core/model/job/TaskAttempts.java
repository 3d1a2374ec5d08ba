package dev.mayfly.core.model.job;

/**
 * How often a task was started, as far as the ledger knows, over all retries by users: what a list
 * of its failed attempts has is counted. The counts of failures stop at 255.
 *
 * @param total all of them, including the one that runs or succeeded
 * @param failures that failed by the user's fault
 * @param infrastructure that were preempted, lost, or failed by the infrastructure's fault
 * @param interruptions that Mayfly ended by its own plan, and of which no checkpoint was stored
 */
public record TaskAttempts(long total, long failures, long infrastructure, long interruptions) {
  /**
   * @param last whether there is one more, which runs or succeeded
   */
  public static TaskAttempts of(long failures, long infrastructure, boolean last) {
    return of(failures, infrastructure, 0, last ? 1 : 0);
  }

  /**
   * @param others attempts that count in no budget
   */
  public static TaskAttempts of(
      long failures, long infrastructure, long interruptions, long others) {
    return new TaskAttempts(
        failures + infrastructure + interruptions + others,
        failures,
        infrastructure,
        interruptions);
  }
}
