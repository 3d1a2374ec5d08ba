package dev.mayfly.core.model.worker;

import dev.mayfly.core.model.FailureCause;

/** Who or what ends a worker. A {@link DrainReason} says it in words. */
public enum DrainCause {
  /** A user drained it. */
  USER(FailureCause.DRAINED),
  /** The time that its machine may live is nearly over. */
  END_OF_LIFE(FailureCause.END_OF_LIFE),
  /** Its pool has changed, and its machine is replaced. */
  POOL_REPLACED(FailureCause.DRAINED),
  /** Its pool's maximum was lowered. */
  MAXIMUM_LOWERED(FailureCause.DRAINED),
  /** The slice that it is of was deleted, or has another shape. */
  SLICE_CHANGED(FailureCause.DRAINED),
  /** The cluster is taken down. */
  CLUSTER_DOWN(FailureCause.DRAINED),
  /** The cluster's machines cost more than its budget. */
  OVER_BUDGET(FailureCause.DRAINED),
  /** No job needs it. */
  UNNEEDED(FailureCause.DRAINED),
  /** It can run no task. */
  UNFIT(FailureCause.DRAINED),
  /** The cloud takes the machine back. */
  PREEMPTED(FailureCause.PREEMPTED);

  private final FailureCause failureCause;

  DrainCause(FailureCause failureCause) {
    this.failureCause = failureCause;
  }

  /** Why an attempt ended that was still running at the deadline. */
  public FailureCause failureCause() {
    return failureCause;
  }
}
