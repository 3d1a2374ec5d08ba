package dev.mayfly.core.agent.loop;

import dev.mayfly.core.model.LeaseRef;

/** One start of one task. A lease starts each of its tasks at most once. */
public record TaskAttempt(LeaseRef lease, long index) {
  /**
   * The name in metadata, sentinels, logs and failures; unique together with the job and the index.
   */
  public String name() {
    return lease.attempt();
  }

  @Override
  public String toString() {
    return lease.job() + "/" + index + "/" + name();
  }
}
