package dev.mayfly.core.model.sync;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.worker.KeptAttempt;

/**
 * The folder of a failed attempt, which its agent deletes unless it is told to keep it.
 *
 * @param job the uid
 * @param attempt unique together with the job and the task
 * @param path on the machine
 */
public record FailedFolder(String job, long task, String attempt, String path) {
  /** Whether it is the one for which a machine is kept. */
  public boolean isOf(KeptAttempt kept) {
    return job.equals(kept.job()) && task == kept.task() && attempt.equals(kept.attempt());
  }

  public boolean isOf(AttemptFailure failure) {
    return task == failure.index() && attempt.equals(failure.attempt());
  }
}
