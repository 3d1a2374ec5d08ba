package dev.mayfly.core.query.cost;

/** What costs are grouped by. */
public enum CostBy {
  /** Days of UTC, the first one first. */
  DAY,
  JOB,
  OWNER,
  POOL,
  ZONE
}
