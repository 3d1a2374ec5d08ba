package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.HeldParts;
import java.util.List;
import java.util.stream.IntStream;

/** What runs on a worker, for all that show it. */
public final class RunningCounts {
  private RunningCounts() {}

  /**
   * How many tasks of each of its leases run, in their order: as reported, and of leases of which
   * nothing is reported as many as fit beside those. What waits there for room does not run.
   */
  public static List<Long> of(Worker worker) {
    return HeldParts.tasks(
        worker.held().stream().map(Worker.Held::asPart).toList(), worker.total());
  }

  /** How many tasks of a job run there; each host of a gang counts one. */
  public static long of(Worker worker, String job) {
    var runs = of(worker);
    return IntStream.range(0, runs.size())
        .filter(i -> worker.held().get(i).job().equals(job))
        .mapToLong(i -> worker.held().get(i).gang() ? 1 : runs.get(i))
        .sum();
  }
}
