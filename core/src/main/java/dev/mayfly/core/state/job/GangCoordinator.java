package dev.mayfly.core.state.job;

import dev.mayfly.core.lifecycle.FinalFailures;
import dev.mayfly.core.lifecycle.GangEvent;
import dev.mayfly.core.lifecycle.GangLifecycle;
import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.lifecycle.WastedTime;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Advances the runs of gangs (decision 13). Every change of a run is a conditional write of its
 * shard; on a conflict it is read again.
 *
 * <p>A run that ended is first stored as ended; then, in one batch, its shard goes back and its
 * workers are freed. If that batch fails, the next sync or reconcile of any of them writes it.
 */
public final class GangCoordinator {
  private static final int MAX_TRIES = 8;

  private final Context context;
  private final JobCompletion jobCompletion;
  private final KeptFailures keptFailures;
  private final GangLifecycle table = new GangLifecycle(GangPhaseTimeouts.DEFAULT);

  public GangCoordinator(Context context) {
    this.context = context;
    jobCompletion = new JobCompletion(context);
    keptFailures = new KeptFailures(context);
  }

  /** The outcome of applying events. */
  public sealed interface Outcome {
    /** The run after the events. */
    record Run(GangRun run) implements Outcome {}

    /** Another writer changed the shard in between: the events must be applied again. */
    record Conflict() implements Outcome {}

    /** The lease is over. */
    record Over() implements Outcome {}
  }

  /**
   * Applies what hosts report of one lease's run, all at once.
   *
   * @param running whether the lease's job still runs
   */
  public Outcome applyReports(
      String cluster, LeaseRef lease, Collection<GangReport> reports, boolean running) {
    return applyOnce(
        cluster,
        lease,
        (before, now) -> {
          var events = timeEvents(before, running, now);
          reports.forEach(r -> events.add(new GangEvent.Reported(now, r)));
          return events;
        });
  }

  private List<GangEvent> timeEvents(GangRun run, boolean running, Instant now) {
    var events = new ArrayList<GangEvent>();
    events.add(table.timeEvent(run, now));
    if (!running) events.add(new GangEvent.StopRequested(now, FailureCause.STOPPED, "stopped"));
    return events;
  }

  /**
   * Applies what a reconcile knows of a worker's gangs. Returns why the worker must be given up, if
   * one of its hosts missed a deadline or has a bad device.
   */
  public Optional<String> checkGangs(Worker worker, Predicate<String> running) {
    var bad = Optional.<String>empty();
    for (var held : worker.held()) {
      if (!held.gang()) continue;
      var run =
          apply(
              worker.cluster(),
              held.ref(),
              (before, now) -> {
                var events = timeEvents(before, running.test(held.job()), now);
                events.addAll(lost(worker, before, now));
                return events;
              });
      if (bad.isEmpty()) bad = run.flatMap(r -> bad(worker, r));
    }
    return bad;
  }

  private static Optional<String> bad(Worker worker, GangRun run) {
    return run.bad().stream()
        .filter(m -> m.host().worker().equals(worker.name()))
        .findFirst()
        .map(m -> "host " + m.host().index() + ": " + m.bad().orElse(""));
  }

  private static List<GangEvent> lost(Worker worker, GangRun run, Instant now) {
    if (!(worker.state() instanceof WorkerState.Lost lost)) return List.of();
    return hosts(worker, run).stream()
        .<GangEvent>map(h -> new GangEvent.HostLost(now, h, lost.cause(), lost.reason()))
        .toList();
  }

  /** Applies the proof that the worker's machine is gone: its hosts run nothing any more. */
  public void machineGone(Worker worker) {
    for (var held : worker.held())
      if (held.gang())
        apply(
            worker.cluster(),
            held.ref(),
            (run, now) -> {
              var events = new ArrayList<>(lost(worker, run, now));
              hosts(worker, run).forEach(h -> events.add(new GangEvent.HostGone(now, h)));
              return events;
            });
  }

  private static List<HostId> hosts(Worker worker, GangRun run) {
    return run.members().stream()
        .map(m -> m.host())
        .filter(h -> h.worker().equals(worker.name()))
        .toList();
  }

  /** What the reporting host must do in each of its gangs. */
  public List<GangOrder> orders(Worker worker, SyncReport report) {
    var keys =
        worker.held().stream()
            .filter(Worker.Held::gang)
            .map(h -> new DocumentKey.OfShard(worker.cluster(), h.job(), h.start()))
            .toList();
    if (keys.isEmpty()) return List.of();
    var found = context.ledger().readAll(keys);
    var orders = new ArrayList<GangOrder>();
    for (var stored : found.readableOnly()) {
      var shard = stored.value();
      if (worker.held().stream().anyMatch(h -> h.ref().equals(shard.lease())))
        shard
            .gang()
            .flatMap(run -> run.order(report.sender()))
            .ifPresent(order -> orders.add(order.of(shard.item())));
    }
    for (var unknown : found.unreadable())
      for (var reported : report.gang())
        if (shard(worker, reported.lease()).path().equals(unknown.path()))
          orders.add(nothing(reported));
    return orders;
  }

  private static DocumentKey.OfShard shard(Worker worker, LeaseRef lease) {
    return new DocumentKey.OfShard(worker.cluster(), lease.job(), lease.start());
  }

  /** The order for a host whose run is unreadable. */
  public static GangOrder nothing(GangReport report) {
    return new GangOrder(
        report.lease(), report.run(), GangOrder.Step.NOTHING, 0, List.of(report.address()));
  }

  /** The run after the events; empty if the lease is over. */
  private Optional<GangRun> apply(
      String cluster, LeaseRef lease, BiFunction<GangRun, Instant, List<GangEvent>> events) {
    for (var tries = 0; tries < MAX_TRIES; tries++)
      switch (applyOnce(cluster, lease, events)) {
        case Outcome.Run after -> {
          return Optional.of(after.run());
        }
        case Outcome.Over _ -> {
          return Optional.empty();
        }
        case Outcome.Conflict _ -> {}
      }
    // Other writers kept changing it; the next reconcile applies the same again.
    return Optional.empty();
  }

  private Outcome applyOnce(
      String cluster, LeaseRef lease, BiFunction<GangRun, Instant, List<GangEvent>> events) {
    var storedShard =
        context.ledger().read(new DocumentKey.OfShard(cluster, lease.job(), lease.start()));
    if (storedShard.isEmpty() || !storedShard.get().value().lease().equals(lease))
      return new Outcome.Over();
    var before = storedShard.get().value().gang();
    if (before.isEmpty()) return new Outcome.Over();
    var next = before.get();
    var now = context.clock().instant();
    for (var event : events.apply(next, now)) next = table.on(next, event);
    if (!storedShard.get().value().recalled().isEmpty())
      next =
          table.on(
              next, new GangEvent.StopRequested(now, FailureCause.STOPPED, "stopped by a user"));
    var after =
        next.equals(before.get()) ? storedShard : move(storedShard.get(), before.get(), next);
    if (after.isEmpty()) return new Outcome.Conflict();
    if (next.phase().ended()) disband(after.get());
    return new Outcome.Run(next);
  }

  private Optional<VersionedDocument<Shard>> move(
      VersionedDocument<Shard> storedShard, GangRun before, GangRun next) {
    var shard = ShardTransitions.withGangRun(storedShard.value(), next);
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(shard, storedShard.version()));
    if (!next.phase().getClass().equals(before.phase().getClass()))
      ledgerWrites.add(
          new LedgerWrite.Signal(
              shard.cluster(), context.clock().instant(), false, next.workers()));
    if (!(context.ledger().commit(ledgerWrites) instanceof CommitResult.Done done))
      return Optional.empty();
    if (next.bad().size() > before.bad().size())
      TriggerSender.send(context.bus(), reconcileTrigger(shard, next));
    return Optional.of(new VersionedDocument<>(shard, done.versions().getFirst()));
  }

  /** All or nothing; on a conflict the next reconcile tries again. */
  private void disband(VersionedDocument<Shard> storedShard) {
    var was = storedShard.value();
    var now = context.clock().instant();
    var job = context.ledger().read(new DocumentKey.OfJob(was.cluster(), was.job()));
    if (job.isEmpty()) return;
    var shard = ShardTransitions.endGang(was, job.get().value().spec().retries(), now);
    var workers = was.gang().orElseThrow().workers();
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(shard, storedShard.version()));
    var keys = workers.stream().map(w -> new DocumentKey.OfWorker(was.cluster(), w)).toList();
    for (var worker : context.ledger().readAll(keys).requireComplete())
      if (worker.value().held().stream().anyMatch(h -> h.ref().equals(was.lease()))) {
        var outcome = kept(worker.value(), was, shard, job.get().value(), now);
        ledgerWrites.add(new LedgerWrite.Update(outcome.worker(), worker.version()));
        ledgerWrites.addAll(outcome.writes());
      }
    var work = shard.isLeasable();
    if (work && was.gang().orElseThrow().phase() instanceof GangPhase.Cleared cleared)
      ledgerWrites.add(new LedgerWrite.Put(requeued(was, cleared, job.get().value(), now)));
    ledgerWrites.add(new LedgerWrite.Signal(was.cluster(), now, work, workers));
    if (!context.ledger().commit(ledgerWrites).done()) return;
    jobCompletion.completeIfDone(job.get().value().key());
    TriggerSender.send(context.bus(), reconcileTrigger(was, was.gang().orElseThrow()));
  }

  /** Without the lease; kept, if it is the one on which the task failed for good first. */
  private KeptFailures.Outcome kept(Worker worker, Shard was, Shard after, Job job, Instant now) {
    var failure = failure(was);
    var next = without(worker, was.lease(), failure, now);
    var first = failure.filter(it -> it.worker().equals(worker.name())).stream().toList();
    var last = FinalFailures.of(was, after, first);
    var host = was.gang().flatMap(GangRun::failedHost).map(HostId::index).orElse(0);
    return keptFailures.keep(next, new KeptFailures.Failed(job, last, host), _ -> true, now);
  }

  /** For people: why the task is back in the queue. */
  private EventRecord requeued(Shard shard, GangPhase.Cleared cleared, Job job, Instant now) {
    var run = shard.gang().orElseThrow();
    var failure = run.failure(cleared);
    return context.event(
        shard.cluster(),
        now,
        "job/" + job.spec().address(),
        "requeued",
        "task %d, on %s: worker %s: %s; it is back in the queue"
            .formatted(
                shard.start(),
                HumanAmounts.count(run.members().size(), "host"),
                failure.worker(),
                failure.evidence()));
  }

  private static Trigger reconcileTrigger(Shard shard, GangRun run) {
    return new Trigger.Reconcile(shard.cluster(), run.workers(), List.of(shard.job()));
  }

  private static Optional<AttemptFailure> failure(Shard shard) {
    var run = shard.gang().orElseThrow();
    return run.phase() instanceof GangPhase.Cleared cleared
        ? Optional.of(run.failure(cleared))
        : Optional.empty();
  }

  /**
   * @param failure how its run ended, if it has no result
   */
  private static Worker without(
      Worker worker, LeaseRef lease, Optional<AttemptFailure> failure, Instant now) {
    var left = worker.held().stream().filter(h -> !h.ref().equals(lease)).toList();
    var next = worker.withLeases(left, now);
    for (var held : worker.held())
      if (failure.isPresent() && held.ref().equals(lease))
        next = WastedTime.of(next, held, failure.get(), now);
    return left.isEmpty() && worker.state() instanceof WorkerState.Ready ready
        ? next.with(new WorkerState.Ready(ready.since(), Optional.of(now)))
        : next;
  }
}
