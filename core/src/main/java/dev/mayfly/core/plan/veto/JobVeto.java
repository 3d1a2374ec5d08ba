package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.plan.share.LaterTurn;
import dev.mayfly.core.plan.share.OwnerShare;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Why a job gets nothing of what is there or comes, or what it has does not go on. */
public sealed interface JobVeto extends Veto {
  /** No worker of the cluster, as specified now, could ever run a task of it. */
  record Impossible(InfeasibleReason why) implements JobVeto {}

  /** It may run on these workers alone: no machine is launched for it. */
  record Pinned(List<String> workers) implements JobVeto {
    public Pinned {
      workers = List.copyOf(workers);
    }
  }

  /** It names a worker that does not exist. */
  record UnknownWorker(String worker) implements JobVeto {}

  /**
   * No task has succeeded, and those that ran failed alike: no machine is launched for more of
   * them.
   *
   * @param tasks those that failed
   * @param of all tasks of the job
   * @param exitCode of all attempts
   */
  record CrashLoop(long attempts, long tasks, long of, long workers, int exitCode)
      implements JobVeto {
    /** So many tasks that fail alike have not all a wrong input. */
    private static final int MANY = 10;

    /** Whether the command is wrong, and not only the inputs of a few tasks that came first. */
    public boolean isCertain() {
      return tasks >= Math.min(MANY, of);
    }
  }

  /**
   * No attempt has ended but by the infrastructure's fault: its machines were lost or preempted, or
   * failed.
   *
   * @param attempts that are known
   * @param last the newest of them
   * @param runs whether its task has a machine again
   */
  record Interrupted(long attempts, AttemptFailure last, boolean runs) implements JobVeto {}

  /** Its tasks must not run on spot machines any more, and no pool has others for it. */
  record NoOnDemandPool() implements JobVeto {}

  /** A worker has room, and is kept for another job. */
  record KeptForOther(String worker, String keeper) implements JobVeto {}

  /** A worker is kept for it until there is room for a task. */
  record Kept(String worker) implements JobVeto {}

  /**
   * Jobs before it in the queue wait for the same machines: of a higher priority, or older ones of
   * its owner.
   *
   * @param jobs their names; those of other owners with the owner
   */
  record Ahead(List<String> jobs) implements JobVeto {
    public Ahead {
      jobs = List.copyOf(jobs);
    }
  }

  /**
   * Owners of its priority share the machines: the one that runs least for their shares is served
   * next, however old its jobs are.
   *
   * @param owners by name
   * @param later until when what the job's owner used lately keeps others first; empty if it does
   *     not
   */
  record Shares(int priority, List<OwnerShare> owners, Optional<LaterTurn> later)
      implements JobVeto {
    public Shares {
      owners = List.copyOf(owners);
    }
  }

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

  /**
   * A worker that holds tasks which must not run twice is given up, and may still run them.
   *
   * @param loss why it was given up
   * @param until when it certainly runs them no more; empty where only the cloud can say so
   */
  record HolderLost(String worker, String loss, Optional<Instant> until) implements JobVeto {}

  /**
   * A worker that holds tasks does not report, and is not given up yet.
   *
   * @param due when it should have reported at the latest
   * @param lostAfter the silence that is enough to give it up while half of the others report
   * @param lostBy when it is given up whatever others do, as far as reports are served
   * @param exclusive whether its tasks then wait for the proof that it runs nothing
   */
  record HolderSilent(
      String worker, Instant due, Duration lostAfter, Instant lostBy, boolean exclusive)
      implements JobVeto {}

  /**
   * Tasks have begun and do not go on, as their agents say.
   *
   * @param until when the first of them is given up
   */
  record Stalled(long tasks, String why, Instant until) implements JobVeto {}

  /**
   * There are more reasons of a kind than are told one by one.
   *
   * @param kind of the reasons before it
   * @param more how many and of what: {@code 4 more lost workers}
   * @param command that lists them
   */
  record Untold(String kind, String more, String command) implements JobVeto {}

  /**
   * Nothing is left to run, and it was closed with more additions than have arrived.
   *
   * @param until when it ends without the others
   */
  record AdditionsAwaited(long closedWith, long arrived, Instant until) implements JobVeto {}
}
