package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.plan.lease.ShardAssignment;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Shards that were preempted too often on spot machines, for syncs of other workers. */
final class SpotExhaustedShards {
  private static final int READ = 100;
  private static final int CHILDREN = 16;

  private final Context context;
  private final EmptyJobCache emptyJobCache;

  SpotExhaustedShards(Context context) {
    this.context = context;
    emptyJobCache = new EmptyJobCache(context);
  }

  /**
   * @param wants of the syncs that may have such shards
   * @param shards split as {@link ShardAssignment} says
   */
  record Offer(List<ShardAssignment.Candidate> wants, List<VersionedDocument<Shard>> shards) {}

  void workAppeared() {
    emptyJobCache.clear();
  }

  /** Whether the job surely has none. */
  boolean isEmpty(JobQueue.Row row) {
    return row.preemptions() == 0 || emptyJobCache.has(row.job());
  }

  /**
   * Empty if the job has none or no sync may have them. Costs a read if one may.
   *
   * @param limited what the job may still run of what the syncs want
   */
  Optional<Offer> of(
      String cluster,
      JobQueue.Row row,
      Collection<WorkerDemand> workerDemands,
      UnaryOperator<List<ShardAssignment.Candidate>> limited) {
    if (isEmpty(row)) return Optional.empty();
    var open =
        workerDemands.stream()
            .filter(b -> !b.pendingSync.isStale() && row.takesSpent(b.pendingSync.worker()))
            .map(b ->
                new ShardAssignment.Candidate(
                    b.pendingSync.worker().name(), b.tasksWanted(row), b.isIdle()))
            .filter(b -> b.want() > 0)
            .toList();
    var wants = open.isEmpty() ? open : limited.apply(open);
    if (wants.isEmpty()) return Optional.empty();
    var begun = emptyJobCache.generation();
    var found =
        context
            .ledger()
            .query(new LedgerQuery.SpentShards(cluster, row.job(), READ))
            .readableOnly();
    if (found.isEmpty()) {
      emptyJobCache.add(row.job(), begun);
      return Optional.empty();
    }
    return Optional.of(new Offer(wants, cut(found, wants)));
  }

  private List<VersionedDocument<Shard>> cut(
      List<VersionedDocument<Shard>> found, List<ShardAssignment.Candidate> wants) {
    var cuts =
        ShardAssignment.splitPoints(
            found.stream().map(VersionedDocument::value).toList(), wants, CHILDREN);
    var shardSplits =
        found.stream()
            .map(s -> new ShardSplit(context, s, cuts.getOrDefault(s.value(), List.of())))
            .toList();
    context.executor().runAll(shardSplits.stream().filter(ShardSplit::cuts).toList());
    // A part split off without an attempt is READY for all workers.
    return shardSplits.stream()
        .flatMap(s -> s.parts().stream())
        .filter(s -> s.value().state() == Shard.State.SPENT)
        .toList();
  }
}
