package dev.mayfly.core.agent.loop;

import dev.mayfly.core.model.job.Sentinel;
import java.time.Instant;

/**
 * The output that a sentinel pins, and the attempt that made it, which may differ from the attempt
 * that found it.
 *
 * @param job of the attempt that made it
 * @param task its index in that job
 * @param url of the output object: {@code <output>/index.json} for a directory
 * @param generation 0 when the task left no output
 */
public record StoredOutput(
    String job, long task, String attempt, String url, long generation, long size, String crc32c) {

  /** For a task without output; {@code url} is where the output would be. */
  public static StoredOutput none(TaskAttempt taskAttempt, String url) {
    return new StoredOutput(
        taskAttempt.lease().job(), taskAttempt.index(), taskAttempt.name(), url, 0, 0, "");
  }

  public Sentinel sentinel(String worker, Instant at) {
    return new Sentinel(job, task, attempt, url, generation, size, crc32c, worker, at);
  }
}
