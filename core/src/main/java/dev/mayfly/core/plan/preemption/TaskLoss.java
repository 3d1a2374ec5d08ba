package dev.mayfly.core.plan.preemption;

import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.OutrankedTasks;
import dev.mayfly.core.plan.model.JobDemand;
import java.time.Duration;
import java.time.Instant;

/**
 * What a running task would lose if it ended now.
 *
 * @param time since its last checkpoint, or else since its start; where that is not known, since
 *     its lease was granted, which is longer
 * @param before what it lost so in earlier attempts: the one that lost least now would otherwise be
 *     the same each time, and never end
 * @param kept whether it has a checkpoint
 */
record TaskLoss(Duration time, Duration before, boolean kept) {
  /** The most that any task may lose for others. */
  static final Duration MOST = Duration.ofHours(1);

  /**
   * @param place of the task among the running ones of the lease
   */
  static TaskLoss of(Worker.Held held, int place, Instant now) {
    var task = OutrankedTasks.running(held, now).get(place);
    var known = place < held.running().size() && held.startedAt().size() == held.running().size();
    var began = known ? held.startedAt().get(place) : held.since();
    var kept = KeptTask.until(held.kept()).get(task);
    var from = kept != null && kept.isAfter(began) ? kept : began;
    var time = Duration.between(from, now);
    var before = held.lostBefore().orElse(Duration.ZERO);
    return new TaskLoss(time.isNegative() ? Duration.ZERO : time, before, kept != null);
  }

  /** With what it lost before. */
  Duration all() {
    return time.plus(before);
  }

  /**
   * The most that a task may lose for one of the job, with what it lost before: no more than that
   * runs itself.
   */
  static Duration most(JobDemand taker) {
    return taker.waiting().longest().filter(it -> it.compareTo(MOST) < 0).orElse(MOST);
  }
}
