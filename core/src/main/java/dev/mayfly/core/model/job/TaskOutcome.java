package dev.mayfly.core.model.job;

import dev.mayfly.core.model.AttemptFailure;
import java.util.Optional;

/**
 * How one task ended: a line of the outcome object.
 *
 * @param by the attempt that the sentinel names; {@code foreign} if the sentinel is not Mayfly's
 * @param failure why the last attempt failed, if the ledger kept it
 */
public record TaskOutcome(
    long index,
    Result result,
    Optional<String> output,
    Optional<String> by,
    Optional<AttemptFailure> failure) {
  /**
   * DONE, FAILED for good, NOT_RUN because the job was stopped, or INCONSISTENT: sentinel and
   * output differ.
   */
  public enum Result {
    DONE,
    FAILED,
    NOT_RUN,
    INCONSISTENT
  }
}
