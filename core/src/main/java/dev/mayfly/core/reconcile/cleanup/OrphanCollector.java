package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Inventory;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.core.reconcile.CloudCallRunner;
import dev.mayfly.core.reconcile.ClusterReconciler;
import dev.mayfly.core.reconcile.KeyPages;
import dev.mayfly.core.reconcile.ReconcileLoop;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.ReportedFailures;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the cloud with the ledger in both directions, so that no machine is left running and no
 * worker waits for a machine that is gone. It is the safety net below {@link ReconcileLoop} and
 * shares no failure with it.
 *
 * <p><b>Must:</b> touch nothing without the label of a cluster of this ledger and its own name as
 * the worker's; take an incomplete list as evidence of nothing; delete a live worker's machine only
 * when the cloud itself has stopped it; leave machines alone whose cluster or worker is unreadable.
 */
public final class OrphanCollector {
  private final Context context;
  private final WorkerTransitions workerTransitions;
  private final LeftoverCollector leftovers;
  private final SettledMachines settled = new SettledMachines();
  private final DocumentPurge purge;
  private final ReportedFailures log = new ReportedFailures();

  public OrphanCollector(Context context) {
    this.context = context;
    workerTransitions = new WorkerTransitions(context);
    leftovers = new LeftoverCollector(context, workerTransitions);
    purge = new DocumentPurge(context);
  }

  /** What a pass would delete now, by the same decisions; deletes and stores nothing. */
  public static CleanupPlan plan(Context context) {
    return new CleanupDryRun(context).run();
  }

  /**
   * Runs a pass. Reports a line for each machine that failed or was left alone because its owner is
   * unknown; neither stops the pass. Throws {@link dev.mayfly.core.error.UnavailableException} if
   * the cloud or the ledger cannot be listed; then nothing was done. Passes of one process are
   * sequential, because they share what the last one saw.
   */
  public synchronized List<String> collect() {
    var failureLog = new FailureLog(log, context);
    // The cloud first: an intent is stored before its order, so each listed machine has a document
    // by now.
    var inventory = context.fleet().list();
    var found = context.ledger().query(new LedgerQuery.Clusters(true));
    var clusters = new HashMap<String, Cluster>();
    for (var versionedDocument : found.readable(failureLog::unreadable))
      clusters.put(versionedDocument.value().uid(), versionedDocument.value());
    inventory.warnings().forEach(w -> failureLog.add("the list of machines", w));
    compare(inventory, clusters, failureLog);
    failureLog.guard("disks and addresses", () -> leftovers.collect(clusters, failureLog));
    purge.run(clusters.values(), failureLog);
    return failureLog.lines();
  }

  private void compare(Inventory inventory, Map<String, Cluster> clusters, FailureLog failureLog) {
    var start = context.clock().instant();
    var toCheck = settled.changed(inventory, start);
    settled.reset();
    var known = new HashMap<String, Map<String, VersionedDocument<Worker>>>();
    for (var cluster : clusters.values())
      if (cluster.phase() != Cluster.Phase.GONE)
        failureLog.guard(
            "cluster " + cluster.spec().name(),
            () -> known.put(cluster.uid(), known(cluster, toCheck, failureLog)));
    var machines =
        inventory.machines().stream()
            .filter(m -> toCheck.isEmpty() || toCheck.get().containsKey(m.name()))
            .<Runnable>map(m ->
                () ->
                    failureLog.guard(
                        "machine " + m.name().name(),
                        () -> machine(m, clusters, known, failureLog)))
            .toList();
    CloudCallRunner.run(context.alarms(), machines);
    known.forEach((_, workers) -> absent(workers.values(), inventory, failureLog));
    if (!inventory.complete() || failureLog.failed()) return;
    var workers =
        known.values().stream()
            .flatMap(k -> k.values().stream())
            .map(VersionedDocument::value)
            .toList();
    settled.record(inventory, toCheck, workers, start);
  }

  private Map<String, VersionedDocument<Worker>> known(
      Cluster cluster,
      Optional<Map<CloudMachine.Name, DocumentKey.OfWorker>> toCheck,
      FailureLog failureLog) {
    var known = new LinkedHashMap<String, VersionedDocument<Worker>>();
    for (var page : pages(cluster, toCheck))
      for (var versionedDocument : page.readable(failureLog::unreadable))
        known.put(versionedDocument.value().name(), versionedDocument);
    return known;
  }

  private List<QueryResult<Worker>> pages(
      Cluster cluster, Optional<Map<CloudMachine.Name, DocumentKey.OfWorker>> toCheck) {
    if (toCheck.isEmpty())
      return List.of(
          context
              .ledger()
              .query(new LedgerQuery.Workers(cluster.uid(), false, ClusterReconciler.WORKERS)));
    var keys =
        toCheck.get().values().stream().filter(k -> k.cluster().equals(cluster.uid())).toList();
    return KeyPages.of(keys).stream().map(page -> context.ledger().readAll(page)).toList();
  }

  private void machine(
      CloudMachine cloudMachine,
      Map<String, Cluster> clusters,
      Map<String, Map<String, VersionedDocument<Worker>>> known,
      FailureLog failureLog) {
    var uid = cloudMachine.labels().getOrDefault(CloudMachine.CLUSTER, "");
    var cluster = clusters.get(uid);
    var name = cloudMachine.name().name();
    if (cluster == null || !name.equals(cloudMachine.labels().get(CloudMachine.WORKER))) {
      // It may belong to another deployment in the project or to a user: deleting it could do harm.
      failureLog.note(
          "machine " + name, "left alone: its labels match no readable cluster and worker");
      return;
    }
    var worker =
        Optional.ofNullable(known.getOrDefault(uid, Map.of()).get(name))
            .or(() -> context.ledger().read(new DocumentKey.OfWorker(uid, name)));
    if (worker.isEmpty()
        || SettledMachines.isOwn(worker.get().value())
        || !worker.get().value().zone().equals(cloudMachine.name().zone()))
      orphan(cluster, cloudMachine);
    else owned(cluster, worker.get(), cloudMachine);
  }

  private void orphan(Cluster cluster, CloudMachine cloudMachine) {
    var isYoung =
        cloudMachine
            .createdAt()
            .plus(context.timings().orphanGrace())
            .isAfter(context.clock().instant());
    if (!isYoung) delete(cluster, cloudMachine, "no worker of this cluster has it");
  }

  private void delete(Cluster cluster, CloudMachine cloudMachine, String why) {
    if (cloudMachine.status() == CloudMachine.Status.STOPPING) return;
    if (!workerTransitions.rateLimiter().mayDelete(cloudMachine.name(), context.clock().instant())
        || !context.fleet().delete(cloudMachine.name())) return;
    var eventRecord =
        workerTransitions.event(
            cluster.uid(), "machine/" + cloudMachine.name().name(), "swept", why);
    context.ledger().commit(List.of(new LedgerWrite.Put(eventRecord)));
  }

  private void owned(
      Cluster cluster, VersionedDocument<Worker> versionedDocument, CloudMachine cloudMachine) {
    switch (versionedDocument.value().state()) {
      case WorkerState.Gone _ ->
          delete(cluster, cloudMachine, "its worker is gone, but the machine exists");
      case WorkerState.Drained _, WorkerState.Lost _ ->
          workerTransitions.terminate(versionedDocument);
      case WorkerState.Launching _,
          WorkerState.Booting _,
          WorkerState.Ready _,
          WorkerState.Draining _ -> {
        if (cloudMachine.status() == CloudMachine.Status.STOPPED)
          stopped(cluster, versionedDocument);
      }
    }
  }

  private void stopped(Cluster cluster, VersionedDocument<Worker> versionedDocument) {
    var spot =
        cluster
                .spec()
                .pool(versionedDocument.value().pool())
                .map(PoolSpec::provisioning)
                .orElse(Provisioning.SPOT)
            == Provisioning.SPOT;
    var preempted = spot || versionedDocument.value().notice().isPresent();
    var event =
        new WorkerEvent.MachineStopped(
            context.clock().instant(),
            preempted ? FailureCause.PREEMPTED : FailureCause.LOST,
            preempted ? "the cloud stopped the spot machine" : "the machine was stopped");
    workerTransitions.apply(versionedDocument, event).ifPresent(workerTransitions::terminate);
  }

  /** The other direction: workers without a machine. */
  private void absent(
      Collection<VersionedDocument<Worker>> workers, Inventory inventory, FailureLog failureLog) {
    if (!inventory.complete()) return;
    var listed = new HashMap<CloudMachine.Name, CloudMachine>();
    for (var cloudMachine : inventory.machines()) listed.put(cloudMachine.name(), cloudMachine);
    var missing = new ArrayList<Runnable>();
    for (var versionedDocument : workers)
      if (!SettledMachines.isOwn(versionedDocument.value())
          && !listed.containsKey(WorkerTransitions.machineName(versionedDocument.value())))
        missing.add(() ->
            failureLog.guard(
                "worker " + versionedDocument.value().name(), () -> absent(versionedDocument)));
    CloudCallRunner.run(context.alarms(), missing);
  }

  private void absent(VersionedDocument<Worker> versionedDocument) {
    var worker = versionedDocument.value();
    switch (worker.state()) {
      // Its order may be on its way; reconcile handles it.
      case WorkerState.Launching _ -> {}
      case WorkerState.Booting b -> {
        if (settled(worker, b) && missing(worker)) applyMissing(versionedDocument);
      }
      case WorkerState.Ready _, WorkerState.Draining _ -> {
        if (missing(worker))
          applyMissing(versionedDocument).ifPresent(workerTransitions::terminate);
      }
      case WorkerState.Drained _, WorkerState.Lost _ ->
          workerTransitions.terminate(versionedDocument);
      case WorkerState.Gone _ -> {}
    }
  }

  /** The list may be older than the machine: a 404 for the machine itself decides. */
  private boolean missing(Worker worker) {
    return context.fleet().find(WorkerTransitions.machineName(worker)).isEmpty();
  }

  private boolean settled(Worker worker, WorkerState.Booting state) {
    if (worker.instanceId().isPresent() || state.operation().isEmpty()) return true;
    var progress =
        context.fleet().progress(WorkerTransitions.machineName(worker), state.operation());
    return progress.filter(p -> p instanceof Progress.Pending).isEmpty();
  }

  private Optional<VersionedDocument<Worker>> applyMissing(
      VersionedDocument<Worker> versionedDocument) {
    return workerTransitions.apply(
        versionedDocument, new WorkerEvent.MachineMissing(context.clock().instant(), true));
  }
}
