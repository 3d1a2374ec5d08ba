package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.HeldParts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How many tasks of a machine's leases run, as far as the ledger knows: the others of them are next
 * there, and wanted elsewhere too.
 */
public final class HeldRuns {
  private HeldRuns() {}

  /**
   * Of each lease, in their order: as reported, and of leases of which nothing is reported as many
   * as fit beside those.
   */
  public static List<Long> of(List<Worker.Held> held, Resources total) {
    return HeldParts.tasks(held.stream().map(Worker.Held::asPart).toList(), total);
  }

  /** The same of all of a worker's leases. */
  public static List<Long> of(Worker worker) {
    return of(worker.held(), worker.total());
  }

  /** Of one job; each host of a gang counts one. */
  public static long of(Worker worker, String job) {
    var runs = of(worker);
    return IntStream.range(0, runs.size())
        .filter(i -> worker.held().get(i).job().equals(job))
        .mapToLong(i -> worker.held().get(i).gang() ? 1 : runs.get(i))
        .sum();
  }

  /** Of each job on all of them. */
  public static Map<String, Long> byJob(List<Worker> workers) {
    var all = new HashMap<String, Long>();
    for (var worker : workers)
      byJob(worker).forEach((job, tasks) -> all.merge(job, tasks, Long::sum));
    return all;
  }

  /** Of each job. */
  public static Map<String, Long> byJob(Worker worker) {
    var runs = of(worker);
    var byJob = new HashMap<String, Long>();
    for (var i = 0; i < runs.size(); i++)
      byJob.merge(worker.held().get(i).job(), runs.get(i), Long::sum);
    return byJob;
  }
}
