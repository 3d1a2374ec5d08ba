package dev.mayfly.core.dispatch;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.plan.lease.LastTasks;
import dev.mayfly.core.plan.lease.ShardAssignment;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds a job's READY shards for the pending syncs of a pass and splits them as needed. */
final class ReadyShards {
  private static final int CHILDREN = 16;
  private static final int READ = 100;
  private static final int FEW = 32;

  private final Context context;
  private final InstanceTaskRange instanceTaskRange;

  ReadyShards(Context context, InstanceTaskRange instanceTaskRange) {
    this.context = context;
    this.instanceTaskRange = instanceTaskRange;
  }

  /**
   * READY shards, split as {@link ShardAssignment} says, and who gets them.
   *
   * @param shards empty if there is none
   */
  record Offer(List<ShardAssignment.Candidate> wants, List<VersionedDocument<Shard>> shards) {}

  /**
   * READY shards of this instance's own part, or of other parts if its own is empty; split if there
   * are too few. The last ones are for some of those that want them.
   *
   * @param demands of all workers, by name
   */
  Offer ready(
      Job job,
      JobQueue.Row row,
      List<ShardAssignment.Candidate> wants,
      Map<String, WorkerDemand> demands) {
    var cluster = job.cluster();
    var slices = demands.values().stream().filter(WorkerDemand::isSlice).count();
    var many = Math.min(READ, wants.stream().mapToLong(w -> shards(w, job)).sum());
    var taskRange = instanceTaskRange.range(job.tasks().count());
    var from = taskRange.from();
    var limit = (int) Math.max(many, wants.size());
    var found =
        context
            .ledger()
            .query(new LedgerQuery.ReadyShards(cluster, job.uid(), from, limit))
            .readableOnly();
    if (found.isEmpty() && from > 0)
      found =
          context
              .ledger()
              .query(new LedgerQuery.ReadyShards(cluster, job.uid(), 0, limit))
              .readableOnly();
    var own = found.stream().filter(s -> taskRange.has(s.value().start())).toList();
    if (!own.isEmpty()) found = own;
    if (found.isEmpty()) return new Offer(wants, found);
    // Where there may be more shards than were read, none is known to be the last.
    var all = from == 0 && found.size() < limit;
    var some = slices > 0 ? wants : last(places(row, wants, demands), found, all);
    return new Offer(some, split(found, some, slices));
  }

  private static List<ShardAssignment.Candidate> last(
      List<LastTasks.Place> places, List<VersionedDocument<Shard>> found, boolean all) {
    var open = found.stream().mapToLong(s -> s.value().open()).summaryStatistics();
    return LastTasks.on(places, all ? open.getSum() : LastTasks.MANY, open.getMax());
  }

  private static List<LastTasks.Place> places(
      JobQueue.Row row, List<ShardAssignment.Candidate> wants, Map<String, WorkerDemand> demands) {
    return wants.stream()
        .map(want -> {
          var demand = requireNonNull(demands.get(want.worker()));
          var busy = demand.gotWork() || !demand.holdsNothing();
          return new LastTasks.Place(want, demand.slots(row), busy);
        })
        .toList();
  }

  /** How many shards to read for it: some are smaller than their original size. */
  private static long shards(ShardAssignment.Candidate candidate, Job job) {
    var size = job.tasks().shardSize();
    var many = 2 + candidate.want() / size;
    // What is cut into single tasks goes to few machines only if all of them are seen.
    var most = LastTasks.areNear(candidate.want(), size) ? Math.max(many, FEW) : many;
    return Math.min(READ, Math.min(candidate.want(), most));
  }

  /** Splits the shards as {@link ShardAssignment} says, in parallel, because they share nothing. */
  private List<VersionedDocument<Shard>> split(
      List<VersionedDocument<Shard>> found, List<ShardAssignment.Candidate> wants, long slices) {
    var shards = found.stream().map(VersionedDocument::value).toList();
    var cuts = new HashMap<>(ShardAssignment.splitPoints(shards, wants, CHILDREN));
    var single = shards.stream().filter(s -> s.size() == 1).count();
    for (var shard : shards)
      if (single++ < slices && shard.size() > 1)
        cuts.put(shard, ShardAssignment.gangSplitPoints(shard));
    var shardSplits =
        found.stream()
            .map(s -> new ShardSplit(context, s, cuts.getOrDefault(s.value(), List.of())))
            .toList();
    context.executor().runAll(shardSplits.stream().filter(ShardSplit::cuts).toList());
    return shardSplits.stream().flatMap(s -> s.parts().stream()).toList();
  }

  /** A slice runs one task on all its hosts, and so takes a shard of one task. */
  static Map<String, List<Shard>> assign(
      Map<String, WorkerDemand> workerDemands,
      List<ShardAssignment.Candidate> wants,
      List<Shard> ready) {
    var slices =
        wants.stream()
            .filter(w -> requireNonNull(workerDemands.get(w.worker())).isSlice())
            .toList();
    if (slices.isEmpty()) return ShardAssignment.assign(wants, ready);
    var single = ready.stream().filter(s -> s.size() == 1).toList();
    var assigned = new HashMap<>(ShardAssignment.assign(slices, single));
    var taken = assigned.values().stream().flatMap(List::stream).collect(Collectors.toSet());
    assigned.putAll(
        ShardAssignment.assign(
            wants.stream().filter(w -> !slices.contains(w)).toList(),
            ready.stream().filter(s -> !taken.contains(s)).toList()));
    return assigned;
  }
}
