package dev.mayfly.core.control;

import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Decision;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Gives a task to several workers at once: the shard and all of them in one batch, so that all have
 * it or none. Whoever changed one of them meanwhile wins, and the next round decides anew.
 */
final class Gatherer {
  /** Shards that are looked at; two rounds side by side may have taken the first. */
  private static final int SHARDS = 20;

  private final Ledger ledger;
  private final InstantSource clock;

  Gatherer(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  void gather(String cluster, Decision.Gather gather, Map<String, Stored<Worker>> known) {
    var workers = gather.workers().stream().map(known::get).filter(Objects::nonNull).toList();
    var job = ledger.read(new Key.OfJob(cluster, gather.job())).map(Stored::value);
    if (workers.size() < gather.workers().size() || job.filter(Job::running).isEmpty()) return;
    for (var shard : ledger.query(new Query.ReadyShards(cluster, gather.job(), 0, SHARDS)).some())
      if (shard.value().size() == 1 && give(job.get(), shard, workers)) return;
  }

  /** False if the shard may be another's by now; then so may the workers. */
  private boolean give(Job job, Stored<Shard> stored, List<Stored<Worker>> workers) {
    var now = clock.instant();
    var shard = stored.value();
    var first = workers.getFirst().value();
    var lease = new LeaseRef(shard.job(), shard.start(), shard.epoch() + 1);
    var run = Hosts.run(workers.stream().map(Stored::value).toList(), lease, job.spec(), now);
    var owner = new Shard.Owner(first.name(), first.epoch());
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(Shards.gather(shard, owner, run, now), stored.version()));
    for (var worker : workers)
      writes.add(new Write.Update(holding(worker.value(), lease, job, now), worker.version()));
    writes.add(new Write.Notify(job.cluster(), now, false, run.workers()));
    return ledger.commit(writes).done();
  }

  private static Worker holding(Worker worker, LeaseRef lease, Job job, Instant now) {
    var need = job.spec().resources();
    var held =
        new Worker.Held(lease.job(), lease.start(), lease.epoch(), need, now, List.of(), true);
    var since = ((WorkerState.Ready) worker.state()).since();
    return worker.holding(List.of(held)).with(new WorkerState.Ready(since, Optional.empty()));
  }
}
