package dev.mayfly.core.plan.veto;

import java.util.List;

/** Why a job gets nothing of what is there or comes. */
public sealed interface JobVeto extends Veto {
  /** No worker of the cluster, as specified now, could ever run a task of it. */
  record Impossible(InfeasibleReason why) implements JobVeto {}

  /** It may run on these workers alone: no machine is launched for it. */
  record Pinned(List<String> workers) implements JobVeto {
    public Pinned {
      workers = List.copyOf(workers);
    }
  }

  /** Its tasks must not run on spot machines any more, and no pool has others for it. */
  record NoOnDemandPool() implements JobVeto {}

  /** A worker has room, and is kept for another job. */
  record KeptForOther(String worker, String keeper) implements JobVeto {}

  /** A worker is kept for it until there is room for a task. */
  record Kept(String worker) implements JobVeto {}

  /**
   * Machines of a gang gather.
   *
   * @param machines how many all waiting tasks there take
   * @param free kept for it, and idle
   * @param coming on their way
   * @param busy kept for it when their work is over
   */
  record Gathering(String pool, String zone, long machines, long free, long coming, long busy)
      implements JobVeto {}
}
