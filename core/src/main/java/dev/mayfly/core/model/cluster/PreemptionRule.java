package dev.mayfly.core.model.cluster;

/** What gives way on a pool's machines when a job of a higher priority waits. */
public enum PreemptionRule {
  /** Tasks that have not started. */
  WAITING,
  /** Running tasks of a lower priority too, where no other machine can be had. */
  RUNNING
}
