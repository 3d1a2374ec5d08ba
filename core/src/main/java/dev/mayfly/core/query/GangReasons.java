package dev.mayfly.core.query;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.text.GangProgress;
import java.util.ArrayList;
import java.util.List;

/** The progress of tasks that run on several hosts at once, and what they wait for. */
final class GangReasons {
  private static final int TASKS = 3;

  private GangReasons() {}

  /** Of leased shards; empty for tasks that run on one host. */
  static List<JobExplanation.Reason> running(List<Shard> leased) {
    var reasons = new ArrayList<JobExplanation.Reason>();
    for (var shard : leased)
      if (reasons.size() < TASKS)
        shard
            .gang()
            .ifPresent(run ->
                reasons.add(
                    new JobExplanation.Reason(
                        "gang", "task " + shard.start() + GangProgress.describe(run))));
    return reasons;
  }

  /** Why a task that takes several machines has none yet; empty for other jobs. */
  static List<JobExplanation.Reason> waiting(Cluster cluster, Job job, List<Worker> workers) {
    var gang = job.spec().gang();
    if (gang <= 1) return List.of();
    return cluster.spec().pools().stream()
        .filter(p -> p.max() >= gang && job.spec().place().allowsPool(p.name()))
        .map(p -> new JobExplanation.Reason("gang", waiting(gang, p, workers)))
        .toList();
  }

  private static String waiting(int gang, PoolSpec pool, List<Worker> workers) {
    var inPool = workers.stream().filter(w -> w.pool().equals(pool.name())).toList();
    var ready = inPool.stream().filter(w -> w.state() instanceof WorkerState.Ready).toList();
    var idle = ready.stream().filter(w -> w.held().isEmpty()).count();
    var starting = inPool.stream().filter(w -> w.state().live()).count() - ready.size();
    return "each task takes %d machines of one zone of a pool at once; pool %s has %d free, %d busy and %d starting, of at most %d"
        .formatted(gang, pool.name(), idle, ready.size() - idle, starting, pool.max());
  }
}
