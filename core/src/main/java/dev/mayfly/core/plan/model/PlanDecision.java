package dev.mayfly.core.plan.model;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.LaunchedFor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** One decision of a plan, with its reason in words for people. */
public sealed interface PlanDecision {
  /** The existing workers that it changes. */
  default List<String> changes() {
    return switch (this) {
      case Drain drain -> List.of(drain.worker());
      case PreemptLease preempt -> List.of(preempt.worker());
      case EndTasks end -> List.of(end.worker());
      case FormGang gang -> gang.workers();
      case Launch _ -> List.of();
    };
  }

  /**
   * Launch machines of a pool in one zone; their names are made at the commit.
   *
   * @param jobs the job that each machine is for, in order; machines beyond are for no job
   */
  record Launch(String pool, String zone, int count, String reason, List<LaunchedFor> jobs)
      implements PlanDecision {
    public Launch {
      jobs = List.copyOf(jobs);
    }

    /** The job that one of the machines is for. */
    public Optional<LaunchedFor> launchedFor(int number) {
      return number < jobs.size() ? Optional.of(jobs.get(number)) : Optional.empty();
    }
  }

  /**
   * Drain a worker: it gets no more work, and running tasks may finish until the deadline.
   *
   * @param until the deadline, if it is later than the default for drains
   */
  record Drain(String worker, DrainReason reason, Optional<Instant> until) implements PlanDecision {
    public Drain(String worker, DrainReason reason) {
      this(worker, reason, Optional.empty());
    }
  }

  /**
   * Return the unstarted tasks of a lease for other jobs.
   *
   * @param slots how many of its tasks run at a time
   */
  record PreemptLease(String worker, LeaseRef lease, long slots, String reason)
      implements PlanDecision {}

  /**
   * End running tasks of a lease for a waiting job of a higher priority. They run again.
   *
   * @param victims by index
   * @param beside the leases of a lower priority there, this one too: nothing unstarted may be left
   *     of them, or it would take the room
   */
  record EndTasks(
      String worker, LeaseRef lease, List<Victim> victims, For taker, List<LeaseRef> beside)
      implements PlanDecision {
    public EndTasks {
      victims = List.copyOf(victims);
      beside = List.copyOf(beside);
    }

    /** The same with more tasks. */
    public EndTasks and(List<Victim> more) {
      var all = new ArrayList<>(victims);
      all.addAll(more);
      all.sort(Comparator.comparing(Victim::index));
      return new EndTasks(worker, lease, all, taker, beside);
    }

    /**
     * A task that ends.
     *
     * @param lost the time since its last checkpoint, or since its start
     * @param kept whether it has a checkpoint
     */
    public record Victim(long index, Duration lost, boolean kept) {}

    /**
     * The waiting job.
     *
     * @param job its uid
     */
    public record For(String job, String address, int priority) {}
  }

  /**
   * Give a task of the job to these workers together, all of them or none.
   *
   * @param workers ready and idle; the first has rank 0
   */
  record FormGang(String job, List<String> workers) implements PlanDecision {
    public FormGang {
      workers = List.copyOf(workers);
    }
  }
}
