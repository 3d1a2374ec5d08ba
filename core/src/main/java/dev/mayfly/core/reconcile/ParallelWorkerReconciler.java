package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.worker.DrainRequests;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Reconciles many workers in parallel, because each needs slow cloud calls. */
final class ParallelWorkerReconciler {
  private static final int BOOTING = 50;

  private final Context context;
  private final WorkerTransitions workerTransitions;
  private final WorkerReconciler workerReconciler;
  private final DrainRequests drainRequests;

  ParallelWorkerReconciler(
      Context context, WorkerTransitions workerTransitions, WorkerReconciler workerReconciler) {
    this.context = context;
    this.workerTransitions = workerTransitions;
    this.workerReconciler = workerReconciler;
    drainRequests = new DrainRequests(context);
  }

  /**
   * Performs the pending effects of each worker's state. A worker whose step fails or that another
   * process changed still counts.
   */
  void reconcile(Cluster cluster, ClusterCache cache, boolean tick, FailureLog failureLog) {
    var booting = 0;
    var pending = new ArrayList<VersionedDocument<Worker>>();
    for (var storedWorker : cache.workers()) {
      if (!cache.needsReconciling(storedWorker)) continue;
      // A reconcile is frequent and must be cheap; the tick asks about every booting machine.
      var isBooting = storedWorker.value().state() instanceof WorkerState.Booting;
      if (!isBooting || tick || ++booting <= BOOTING) pending.add(storedWorker);
    }
    pending.forEach(w -> cache.markChanged(w.value().name()));
    var found = new ConcurrentHashMap<String, Optional<VersionedDocument<Worker>>>();
    var calls = new ArrayList<Runnable>();
    for (var stored : pending) {
      var place = "worker " + stored.value().name();
      Consumer<Optional<VersionedDocument<Worker>>> then =
          after ->
              calls.add(
                  () -> failureLog.guard(place, () -> reconcile(cluster, stored, after, found)));
      // Sequentially, because the workers of one gang change one document.
      failureLog.guard(place, () -> then.accept(workerReconciler.reconcileGangs(cluster, stored)));
    }
    CloudCallRunner.run(context.executor(), calls);
    found.forEach((name, now) -> now.ifPresentOrElse(cache::update, () -> cache.remove(name)));
  }

  private void reconcile(
      Cluster cluster,
      VersionedDocument<Worker> storedWorker,
      Optional<VersionedDocument<Worker>> after,
      Map<String, Optional<VersionedDocument<Worker>>> found) {
    var now = after.flatMap(w -> workerReconciler.reconcile(cluster, w));
    found.put(
        storedWorker.value().name(),
        now.or(() -> context.ledger().read(storedWorker.value().key())));
  }

  void drain(
      Cluster cluster,
      List<PlanDecision.Drain> drains,
      Map<String, VersionedDocument<Worker>> workers,
      FailureLog failureLog) {
    CloudCallRunner.run(
        context.executor(),
        drains.stream()
            .<Runnable>map(d ->
                () -> failureLog.guard("worker " + d.worker(), () -> drain(cluster, d, workers)))
            .toList());
  }

  private void drain(
      Cluster cluster, PlanDecision.Drain drain, Map<String, VersionedDocument<Worker>> workers) {
    var now = context.clock().instant();
    var time =
        cluster.phase() == Cluster.Phase.UP
            ? context.timings().drainDeadline()
            : context.timings().downDeadline();
    var soon = now.plus(time);
    var deadline = drain.until().filter(soon::isBefore).orElse(soon);
    Optional.ofNullable(workers.get(drain.worker()))
        .flatMap(stored -> {
          var event = drainRequests.of(cluster, stored.value(), drain.reason(), deadline);
          return workerTransitions.apply(stored, event, Optional.of("draining"));
        })
        .ifPresent(workerTransitions::terminate);
  }

  /** Orders the stored intents that have no machine yet, except those that this plan cancels. */
  void orderAgain(
      Cluster cluster,
      List<VersionedDocument<Worker>> workers,
      ClusterCache cache,
      Plan plan,
      FailureLog failureLog) {
    var ended = new HashSet<String>();
    for (var planDecision : plan.decisions())
      if (planDecision instanceof PlanDecision.Drain drain) ended.add(drain.worker());
    var orders = new ArrayList<Runnable>();
    for (var storedWorker : workers) {
      var name = storedWorker.value().name();
      if (!(storedWorker.value().state() instanceof WorkerState.Launching) || ended.contains(name))
        continue;
      cache.markChanged(name);
      orders.add(() ->
          failureLog.guard(
              "worker " + name, () -> workerReconciler.orderAgain(cluster, storedWorker)));
    }
    CloudCallRunner.run(context.executor(), orders);
  }
}
