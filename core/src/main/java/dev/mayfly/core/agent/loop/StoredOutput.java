package dev.mayfly.core.agent.loop;

import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import java.time.Instant;
import java.util.Optional;

/**
 * The output that a sentinel pins, and the attempt that made it, which may differ from the attempt
 * that found it.
 *
 * @param job of the attempt that made it
 * @param task its index in that job
 * @param url of the output object: {@code <output>/index.json} for a directory
 * @param generation 0 when the task left no output
 * @param made what that attempt made it from
 */
public record StoredOutput(
    String job,
    long task,
    String attempt,
    String url,
    long generation,
    long size,
    String crc32c,
    MadeFrom made) {

  /** For a task without output; {@code url} is where the output would be. */
  public static StoredOutput none(TaskAttempt taskAttempt, String url, MadeFrom made) {
    return new StoredOutput(
        taskAttempt.lease().job(), taskAttempt.index(), taskAttempt.name(), url, 0, 0, "", made);
  }

  /** Whether it is this attempt's own, and not one that the attempt found. */
  public boolean isOf(TaskAttempt taskAttempt) {
    return job.equals(taskAttempt.lease().job())
        && task == taskAttempt.index()
        && attempt.equals(taskAttempt.name());
  }

  /** Without the time when the attempt that made it began. */
  public Sentinel sentinel(String worker, Instant at) {
    return sentinel(worker, at, Optional.empty());
  }

  /**
   * @param startedAt when the attempt that made it began, if that is known
   */
  public Sentinel sentinel(String worker, Instant at, Optional<Instant> startedAt) {
    var from = Optional.of(made).filter(m -> !m.equals(MadeFrom.UNKNOWN));
    return new Sentinel(
        job,
        task,
        attempt,
        url,
        generation,
        size,
        crc32c,
        worker,
        at,
        startedAt,
        from,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
