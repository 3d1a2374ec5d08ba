package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import java.util.List;

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

  /** More workers of the pool are as full. */
  record MoreFull(String pool, int workers) implements WorkerVeto {}
}
