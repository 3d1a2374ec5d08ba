package dev.mayfly.core.plan.model;

import dev.mayfly.core.model.LeaseRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One thing that a plan says, with its reason in words for people. */
public sealed interface PlanDecision {
  /** Launch so many machines of a pool in one zone; their names are made when it is committed. */
  record Launch(String pool, String zone, int count, String reason) implements PlanDecision {}

  /**
   * Let a worker end: no more work, and what runs may finish until the deadline.
   *
   * @param until the deadline, if it is later than that of any drain
   */
  record Drain(String worker, String reason, Optional<Instant> until) implements PlanDecision {
    public Drain(String worker, String reason) {
      this(worker, reason, Optional.empty());
    }
  }

  /**
   * Let others have what a lease has not begun.
   *
   * @param slots how many of its tasks run at a time
   */
  record PreemptLease(String worker, LeaseRef lease, long slots, String reason)
      implements PlanDecision {}

  /**
   * Give a task of the job to these workers together, all of them or none.
   *
   * @param workers that are ready and have nothing to do; the first has rank 0
   */
  record FormGang(String job, List<String> workers) implements PlanDecision {
    public FormGang {
      workers = List.copyOf(workers);
    }
  }

  /**
   * Wanted, and not possible now.
   *
   * @param about {@code job/NAME} or {@code pool/NAME}
   * @param vetoes why not, one for each way that was considered
   */
  record Wait(String about, List<String> vetoes) implements PlanDecision {
    public Wait {
      vetoes = List.copyOf(vetoes);
    }
  }

  /** A running job that no worker of the cluster, as it is written now, could ever run. */
  record Impossible(String job, String name, InfeasibleReason why) implements PlanDecision {}
}
