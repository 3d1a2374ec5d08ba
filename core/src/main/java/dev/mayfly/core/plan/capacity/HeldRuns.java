package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.HeldParts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many tasks of a machine's leases run, as far as the ledger knows: the others of them are next
 * there, and wanted elsewhere too.
 */
public final class HeldRuns {
  private HeldRuns() {}

  /** Of each lease, in their order. */
  public static List<Long> of(List<Worker.Held> held, Resources total) {
    return HeldParts.tasks(held.stream().map(Worker.Held::asPart).toList(), total);
  }

  /** Of each job. */
  public static Map<String, Long> byJob(Worker worker) {
    var runs = of(worker.held(), worker.total());
    var byJob = new HashMap<String, Long>();
    for (var i = 0; i < runs.size(); i++)
      byJob.merge(worker.held().get(i).job(), runs.get(i), Long::sum);
    return byJob;
  }
}
