package dev.mayfly.core.reconcile;

import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.plan.capacity.ReturnedRoom;
import dev.mayfly.core.plan.capacity.UnbootedMachines;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.worker.CloudRateLimiter;
import dev.mayfly.core.state.worker.StockoutRecorder;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Handles refusals to create a machine: verifies them and records stockouts. */
final class LaunchFailures {
  /**
   * Refusals within this time count once: a hundred refused orders of one reconcile give one fact.
   */
  private static final Duration SAME_REFUSAL_WITHIN = Duration.ofSeconds(30);

  private final Context context;
  private final WorkerTransitions workerTransitions;
  private final CloudRateLimiter cloudRateLimiter;

  LaunchFailures(Context context, WorkerTransitions workerTransitions) {
    this.context = context;
    this.workerTransitions = workerTransitions;
    cloudRateLimiter = workerTransitions.rateLimiter();
  }

  /**
   * Returns the worker afterwards.
   *
   * @param ended whether the order is over, so that a retry would need another order
   */
  Optional<VersionedDocument<Worker>> handle(
      Cluster cluster, VersionedDocument<Worker> storedWorker, Refusal refusal, boolean ended) {
    if (refusal.kind() == Refusal.Kind.RATE) scheduleRetry(storedWorker.value());
    var later =
        switch (refusal.kind()) {
          case RATE, TRANSIENT -> true;
          case CAPACITY, QUOTA, INVALID, DENIED -> false;
        };
    if (later && !ended) return Optional.of(noted(storedWorker, refusal));
    var worker = storedWorker.value();
    var now = context.clock().instant();
    var machine = context.fleet().find(WorkerTransitions.machineName(worker));
    if (machine.isPresent() && WorkerTransitions.isMachineOf(machine.get(), worker))
      return workerTransitions.apply(storedWorker, new WorkerEvent.MachineSeen(now));
    if (machine.isEmpty()) remember(cluster, worker, refusal);
    var reason = "%s: %s".formatted(refusal.code(), refusal.message());
    return workerTransitions.apply(
        storedWorker, new WorkerEvent.Refused(now, reason), Optional.of("refused"));
  }

  /** The order stands and is repeated: meanwhile the worker says what the cloud answered. */
  private VersionedDocument<Worker> noted(VersionedDocument<Worker> storedWorker, Refusal refusal) {
    var answer = "%s: %s".formatted(refusal.code(), refusal.message());
    var said = Optional.of(MachineProblem.Kind.OTHER.of(answer));
    if (storedWorker.value().machineProblem().equals(said)) return storedWorker;
    var next = storedWorker.value().withProblem(said);
    var commitResult =
        context.ledger().commit(List.of(new LedgerWrite.Update(next, storedWorker.version())));
    return commitResult instanceof CommitResult.Done done
        ? new VersionedDocument<>(next, done.versions().getFirst())
        : storedWorker;
  }

  private void remember(Cluster cluster, Worker worker, Refusal refusal) {
    switch (refusal.kind()) {
      case CAPACITY -> rememberLack(worker.zone(), worker, refusal);
      case QUOTA -> rememberLack(StorageLocation.region(worker.zone()), worker, refusal);
      // Only a person can fix it: it counts twice, so that the pool pauses for ten minutes.
      case INVALID, DENIED ->
          remember(worker.zone(), ZoneAvailability.poolKey(cluster, worker.pool()), refusal, 2);
      // The order failed for an unknown reason: a few times that is harmless.
      case TRANSIENT ->
          remember(worker.zone(), ZoneAvailability.unclearKey(worker.machineType()), refusal, 1);
      case RATE -> {}
    }
  }

  /** Later than all room that came back before it, so that it is not taken for ended with that. */
  private void rememberLack(String place, Worker worker, Refusal refusal) {
    var stockouts =
        context.ledger().query(new LedgerQuery.Stockouts()).readableOnly().stream()
            .map(VersionedDocument::value)
            .toList();
    var ended =
        new ReturnedRoom(stockouts).endsUntil(place, worker.provisioning(), worker.machineType());
    var now = context.clock().instant();
    var after = ended.map(until -> until.plusMillis(1)).filter(now::isBefore).orElse(now);
    remember(place, kind(worker), refusal, 1, after, ended);
  }

  private static String kind(Worker worker) {
    return ZoneAvailability.kind(worker.provisioning(), worker.machineType());
  }

  /** Whether the cloud recently refused calls for such a machine as too frequent. */
  boolean isBackingOff(Worker worker) {
    return !cloudRateLimiter.allows(
        WorkerTransitions.machineName(worker), context.clock().instant());
  }

  /** This only saves time: if the alarm is late or lost, the next tick orders them again. */
  private void scheduleRetry(Worker worker) {
    cloudRateLimiter
        .exhausted(WorkerTransitions.machineName(worker), context.clock().instant())
        .ifPresent(open ->
            context
                .executor()
                .callAt(
                    open,
                    () ->
                        TriggerSender.send(
                            context.bus(),
                            Trigger.Reconcile.worker(worker.cluster(), worker.name()))));
  }

  /**
   * A machine of the pool cannot run tasks and is deleted for that.
   *
   * @param lacks the problem that it reported
   */
  void unfit(Cluster cluster, Worker worker, String lacks) {
    // The time of its first sync is the same for each repeat and differs between machines.
    var at = worker.firstSyncAt().orElse(worker.createdAt());
    once(ZoneAvailability.UNFIT, ZoneAvailability.poolKey(cluster, worker.pool()), lacks, at);
  }

  /**
   * The order of a machine was accepted, and the machine is given up because it never reported: its
   * zone is left for a while, by the type where the cloud never started it, else by the pool.
   */
  void neverBooted(Cluster cluster, Worker worker, boolean started) {
    var code = UnbootedMachines.code(started);
    remember(
        worker.zone(),
        UnbootedMachines.key(cluster, worker, started),
        new Refusal(Refusal.Kind.CAPACITY, code, ""),
        1);
  }

  /** The zone had capacity for only a part of a gang. */
  void gangFailed(Cluster cluster, Plan.AbandonedGang abandonedGang) {
    var pool = cluster.spec().pool(abandonedGang.pool());
    if (pool.isEmpty()) return;
    var kind = ZoneAvailability.kind(pool.get().provisioning(), pool.get().machineType());
    once(
        abandonedGang.zone(),
        ZoneAvailability.gangKey(abandonedGang.gang(), kind),
        "GANG",
        context.clock().instant());
  }

  private void once(String place, String what, String code, Instant at) {
    new StockoutRecorder(context.ledger()).recordOnce(place, what, code, at);
  }

  private void remember(String place, String what, Refusal refusal, int times) {
    remember(place, what, refusal, times, context.clock().instant(), Optional.empty());
  }

  /**
   * @param ended until when earlier refusals are ended: a new one counts beside them
   */
  private void remember(
      String place, String what, Refusal refusal, int times, Instant at, Optional<Instant> ended) {
    var recorder = new StockoutRecorder(context.ledger());
    var seen = recorder.seen(place, what);
    var last = seen.isEmpty() ? Instant.MIN : seen.getLast();
    if (last.isAfter(ended.orElse(Instant.MIN)) && last.plus(SAME_REFUSAL_WITHIN).isAfter(at))
      return;
    for (var i = 0; i < times; i++) seen.add(at);
    context
        .ledger()
        .commit(
            List.of(StockoutRecorder.put(place, what, refusal.code(), refusal.message(), seen)));
  }
}
