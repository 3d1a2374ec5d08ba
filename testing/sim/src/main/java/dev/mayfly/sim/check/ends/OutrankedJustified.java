package dev.mayfly.sim.check.ends;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.Outranked;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * I37: a running task ends for another job only in a pool that allows it, for a waiting job of a
 * strictly higher priority, and only if it does not lose too much; no gang and no exclusive job
 * does. Such an end uses up no retry, and none happens that was not decided.
 */
public final class OutrankedJustified implements Invariant {
  private static final String ID = "I37";

  /** How old what a plan is made from may be, and how far clocks may differ. */
  private static final Duration STALE = Duration.ofMinutes(3);

  private static final Duration MOST = Duration.ofHours(1);

  private final GroundTruth groundTruth;
  private final Map<String, Instant> waited = new HashMap<>();
  private final Map<String, Instant> allowed = new HashMap<>();
  private final Set<String> decided = new HashSet<>();

  public OutrankedJustified(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      if (change.before().orElse(null) instanceof Cluster was) seen(was);
      if (change.after().orElse(null) instanceof Cluster is) seen(is);
      if (change.before().orElse(null) instanceof Shard was && waits(was))
        waited.put(was.job(), groundTruth.now());
      if (change.after().orElse(null) instanceof Worker after) worker(change, after);
    }
    for (var change : batch)
      if (change.before().orElse(null) instanceof Shard was
          && change.after().orElse(null) instanceof Shard is) shard(was, is);
  }

  private void seen(Cluster cluster) {
    cluster.spec().pools().stream()
        .filter(PoolSpec::endsRunning)
        .forEach(pool -> allowed.put(cluster.uid() + " " + pool.name(), groundTruth.now()));
  }

  private static boolean waits(Shard shard) {
    return shard.isLeasable() && shard.open() > 0;
  }

  private void worker(SimLedger.Change change, Worker after) {
    for (var held : after.held())
      for (var it : held.outranked().orElse(List.of()))
        if (decided.add(held.known().attempt() + " " + it.index())
            && change.before().orElse(null) instanceof Worker) check(after, held, it);
  }

  private void check(Worker worker, Worker.Held held, Outranked it) {
    var victim = groundTruth.job(worker.cluster(), held.job()).orElseThrow();
    var taker = groundTruth.job(worker.cluster(), it.job()).orElseThrow();
    if (victim.spec().priority() >= taker.spec().priority()) fail(worker, held, it, "no lower");
    if (held.gang() || victim.spec().exclusive()) fail(worker, held, it, "a gang or exclusive");
    if (!(worker.state() instanceof WorkerState.Ready)) fail(worker, held, it, "not ready");
    if (!isRecent(allowed.get(worker.cluster() + " " + worker.pool()), worker))
      fail(worker, held, it, "of a pool that does not say so");
    if (!isWaiting(taker)) fail(worker, held, it, "for a job that does not wait");
    var most =
        taker.spec().run().timeout().compareTo(MOST) < 0 ? taker.spec().run().timeout() : MOST;
    if (loss(held, it).compareTo(most.plus(STALE)) > 0) fail(worker, held, it, "lost too much");
  }

  /** Whether the pool says so, or did lately. */
  private boolean isRecent(@Nullable Instant at, Worker worker) {
    var now =
        groundTruth
            .cluster(worker.cluster())
            .flatMap(cluster -> cluster.spec().pool(worker.pool()))
            .filter(PoolSpec::endsRunning);
    return now.isPresent() || (at != null && at.plus(STALE).isAfter(groundTruth.now()));
  }

  private boolean isWaiting(Job taker) {
    var at = waited.get(taker.uid());
    return (at != null && at.plus(STALE).isAfter(groundTruth.now()))
        || groundTruth.all(Shard.class).stream()
            .anyMatch(shard -> shard.job().equals(taker.uid()) && waits(shard));
  }

  private static Duration loss(Worker.Held held, Outranked it) {
    var place = held.running().indexOf(it.index());
    var began =
        place >= 0 && place < held.startedAt().size() ? held.startedAt().get(place) : held.since();
    var kept = KeptTask.until(held.kept()).getOrDefault(it.index(), began);
    return Duration.between(kept.isAfter(began) ? kept : began, it.since());
  }

  private static void fail(Worker worker, Worker.Held held, Outranked it, String why) {
    throw new InvariantViolation(
        ID,
        "task %d of %s on %s ends for %s: %s"
            .formatted(it.index(), held.job(), worker.name(), it.by(), why));
  }

  private void shard(Shard was, Shard is) {
    for (var failure : is.evidence())
      if (failure.cause() == FailureCause.OUTRANKED && !was.evidence().contains(failure))
        decided(failure);
    for (var task = is.start(); task < is.end(); task++) unused(was, is, task);
  }

  private void decided(AttemptFailure failure) {
    if (!decided.contains(failure.attempt() + " " + failure.index()))
      throw new InvariantViolation(
          ID,
          "attempt %s of task %d ended undecided".formatted(failure.attempt(), failure.index()));
  }

  /** Where nothing but such ends was counted, no budget is used. */
  private static void unused(Shard was, Shard is, long task) {
    var outranked = count(is, FailureCause.OUTRANKED) - count(was, FailureCause.OUTRANKED);
    var all = sum(is) - sum(was);
    if (outranked <= 0 || all != outranked) return;
    if (is.failures().at(task) > was.failures().at(task)
        || is.infrastructure().at(task) > was.infrastructure().at(task)
        || is.interruptions().at(task) > was.interruptions().at(task))
      throw new InvariantViolation(ID, "task %d of %s used a retry".formatted(task, is.job()));
  }

  private static long count(Shard shard, FailureCause cause) {
    return shard.attempts().getOrDefault(cause, 0L);
  }

  private static long sum(Shard shard) {
    return shard.attempts().values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void restored() {
    decided.clear();
    waited.clear();
  }
}
