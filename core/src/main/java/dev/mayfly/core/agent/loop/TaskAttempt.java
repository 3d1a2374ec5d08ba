package dev.mayfly.core.agent.loop;

import dev.mayfly.core.model.LeaseRef;

/** One start of one task: a lease starts each of its tasks at most once. */
public record TaskAttempt(LeaseRef lease, long index) {
  /**
   * The name in metadata, sentinels, logs and failures; with the job and the index it is unique.
   */
  public String name() {
    return lease.attempt();
  }

  @Override
  public String toString() {
    return lease.job() + "/" + index + "/" + name();
  }
}
