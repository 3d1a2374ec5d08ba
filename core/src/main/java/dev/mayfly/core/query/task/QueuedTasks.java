package dev.mayfly.core.query.task;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.capacity.HeldRuns;
import java.util.List;
import java.util.function.Supplier;

/**
 * Tasks of a job that machines have, of which only some run, as far as is known: the others are
 * next there.
 *
 * @param held all that machines have
 */
public record QueuedTasks(long held, long running) {
  /**
   * Of a job.
   *
   * @param workers of its cluster; not asked for if no machine has a task of it
   */
  public static QueuedTasks of(Job job, TaskTotals totals, Supplier<List<Worker>> workers) {
    if (totals.leased() == 0) return new QueuedTasks(0, 0);
    var running = workers.get().stream().mapToLong(it -> HeldRuns.of(it, job.uid())).sum();
    return new QueuedTasks(totals.leased(), running);
  }

  /** Whether one waits for another to end. */
  public boolean any() {
    return running < held;
  }

  /** How many run, after the number of all; nothing if all do. */
  public String words() {
    if (!any()) return "";
    if (running == 0) return "; none of them runs yet: they are next there, when a task there ends";
    var next = held - running;
    return "; %,d of them %s, and %,d %s next there, when one of those ends"
        .formatted(running, running == 1 ? "runs" : "run", next, next == 1 ? "is" : "are");
  }
}
