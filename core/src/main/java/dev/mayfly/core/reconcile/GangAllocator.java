package dev.mayfly.core.reconcile;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.job.OwnerUsage;
import dev.mayfly.core.state.worker.SliceHosts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Grants a task to several workers at once: the shard and all workers in one batch, so that all
 * hold it or none does. On a conflict the other writer wins and the next reconcile decides again.
 */
final class GangAllocator {
  /** Shards read per attempt; concurrent reconciles may have taken the first ones. */
  private static final int SHARDS = 20;

  private final Ledger ledger;
  private final InstantSource clock;

  GangAllocator(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  void allocate(
      String cluster,
      PlanDecision.FormGang formGang,
      Map<String, VersionedDocument<Worker>> known) {
    var workers = formGang.workers().stream().map(known::get).filter(Objects::nonNull).toList();
    var job =
        ledger.read(new DocumentKey.OfJob(cluster, formGang.job())).map(VersionedDocument::value);
    if (workers.size() < formGang.workers().size() || job.filter(Job::running).isEmpty()) return;
    if (isAtLimit(job.get())) return;
    for (var shard :
        ledger
            .query(new LedgerQuery.ReadyShards(cluster, formGang.job(), 0, SHARDS))
            .readableOnly())
      if (shard.value().size() == 1 && grant(job.get(), shard, workers)) return;
  }

  /** Whether no more of its tasks, or of its owner's, may be leased. */
  private boolean isAtLimit(Job job) {
    var rules = job.spec().admission();
    return (rules.concurrency() > 0 && rules.remaining(ledger.totals(job.key()).leased()) == 0)
        || isOwnerAtLimit(job);
  }

  private boolean isOwnerAtLimit(Job job) {
    var owner = job.spec().owner().orElse("");
    var most =
        ledger
            .read(new DocumentKey.OfCluster(job.cluster()))
            .flatMap(c -> c.value().spec().limit().of(owner));
    if (most.isEmpty()) return false;
    var rows =
        ledger
            .read(new DocumentKey.OfJobQueue(job.cluster()))
            .map(q -> q.value().rows())
            .orElse(List.of());
    return new OwnerUsage(ledger).leased(job.cluster(), rows, owner, most.get()) >= most.get();
  }

  /** False if the shard, and so perhaps the workers, may have changed. */
  private boolean grant(
      Job job, VersionedDocument<Shard> storedShard, List<VersionedDocument<Worker>> workers) {
    var now = clock.instant();
    var shard = storedShard.value();
    var first = workers.getFirst().value();
    var lease = new LeaseRef(shard.job(), shard.start(), shard.epoch() + 1);
    var run =
        SliceHosts.newRun(
            workers.stream().map(VersionedDocument::value).toList(), lease, job.spec(), now);
    var owner = new Shard.Owner(first.name(), first.epoch());
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(
        new LedgerWrite.Update(
            ShardTransitions.grantGang(shard, owner, run, now), storedShard.version()));
    for (var worker : workers)
      ledgerWrites.add(
          new LedgerWrite.Update(holding(worker.value(), lease, job, now), worker.version()));
    ledgerWrites.add(new LedgerWrite.Signal(job.cluster(), now, false, run.workers()));
    return ledger.commit(ledgerWrites).done();
  }

  private static Worker holding(Worker worker, LeaseRef lease, Job job, Instant now) {
    var need = job.spec().resources();
    var held =
        new Worker.Held(
            lease.job(),
            lease.start(),
            lease.epoch(),
            need,
            now,
            List.of(),
            true,
            1,
            List.of(),
            List.of());
    var since = ((WorkerState.Ready) worker.state()).since();
    return worker
        .withLeases(List.of(held), now)
        .with(new WorkerState.Ready(since, Optional.empty()));
  }
}
