package dev.mayfly.core.model.worker;

import java.util.Optional;

/**
 * The job for whose tasks a machine is launched. It may run tasks of others too.
 *
 * @param job its name
 * @param owner as the job claims
 * @param nominee the job's uid, if the new machine serves it before other jobs of its priority:
 *     where the plan found room for all tasks
 */
public record LaunchedFor(String job, Optional<String> owner, Optional<String> nominee) {
  /** For a machine that serves jobs in the order of the queue. */
  public LaunchedFor(String job, Optional<String> owner) {
    this(job, owner, Optional.empty());
  }

  /** The same for a machine that serves jobs in the order of the queue. */
  public LaunchedFor inTurn() {
    return new LaunchedFor(job, owner);
  }
}
