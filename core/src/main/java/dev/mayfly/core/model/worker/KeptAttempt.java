package dev.mayfly.core.model.worker;

import java.time.Instant;
import java.util.Optional;

/**
 * The attempt for whose folder a machine is kept, because its job says {@code keepFailed}.
 *
 * @param job its uid
 * @param name what commands call the job
 * @param task its index
 * @param attempt its name, unique together with the job and the task
 * @param host of the worker on which it failed
 * @param until when the job's wish ends
 * @param folder where it lies, once the agent has said it
 */
public record KeptAttempt(
    String job,
    String name,
    long task,
    String attempt,
    int host,
    Instant until,
    Optional<String> folder) {
  public KeptAttempt at(String path) {
    return new KeptAttempt(job, name, task, attempt, host, until, Optional.of(path));
  }
}
