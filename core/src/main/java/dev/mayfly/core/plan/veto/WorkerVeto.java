package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.worker.KeptAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Why workers that are there take no task of a job. */
public sealed interface WorkerVeto extends Veto {
  /**
   * They can run no task.
   *
   * @param lacks what they lack, by their own words
   */
  record Unfit(List<String> workers, String lacks) implements WorkerVeto {
    public Unfit {
      workers = List.copyOf(workers);
    }
  }

  /**
   * They are cordoned, by a person or because a job keeps them: they take nothing new.
   *
   * @param until when that ends at the latest, of the first of them
   * @param kept for which attempt the first of them is kept; empty if a person cordoned it
   */
  record Cordoned(List<String> workers, Instant until, Optional<KeptAttempt> kept)
      implements WorkerVeto {
    public Cordoned {
      workers = List.copyOf(workers);
    }
  }

  /**
   * It has too little room for one task.
   *
   * @param free what running tasks leave
   * @param need what one task takes there
   * @param users whose tasks use the rest
   */
  record Full(String worker, FreeResources free, Resources total, Resources need, List<User> users)
      implements WorkerVeto {
    public Full {
      users = List.copyOf(users);
    }
  }

  /**
   * A job on a full worker.
   *
   * @param uses of all its tasks there
   */
  record User(String job, Resources uses) {}

  /**
   * It may have room, and holds as many ranges of tasks as a worker may.
   *
   * @param blocks how many
   */
  record HoldsMost(String worker, int blocks) implements WorkerVeto {}

  /**
   * As many whole machines as a task takes are in the zone, and too many of them do other work.
   *
   * @param machines how many the task takes at once
   * @param there how many could run it
   * @param busy some of those that do other work
   * @param more how many others do too
   */
  record GangBusy(String pool, String zone, int machines, int there, List<Busy> busy, int more)
      implements WorkerVeto {
    public GangBusy {
      busy = List.copyOf(busy);
    }
  }

  /**
   * A machine that does other work.
   *
   * @param jobs whose tasks it runs
   * @param until when these end at the latest, if that is known
   */
  record Busy(String worker, List<String> jobs, Optional<Instant> until) {
    public Busy {
      jobs = List.copyOf(jobs);
    }
  }

  /** No running task of the pool ends for it, although some are of a lower priority. */
  record NoneEnds(String pool, Spared why) implements WorkerVeto {}

  /** Why running tasks go on. */
  sealed interface Spared {
    /** The pool does not allow it. */
    record Off() implements Spared {}

    /**
     * Each would lose too much.
     *
     * @param most that it might
     * @param least that one of them would
     */
    record LoseTooMuch(Duration most, Duration least, Duration before) implements Spared {}

    /** They are of gangs, or beside exclusive ones. */
    record Whole() implements Spared {}
  }

  /** More workers of the pool are as full. */
  record MoreFull(String pool, int workers) implements WorkerVeto {}
}
