package dev.mayfly.core.reconcile;

import dev.mayfly.core.catalog.PoolPrice;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.WorkerInfo;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.capacity.PoolVersions;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.worker.MachineLabels;
import dev.mayfly.core.state.worker.WorkerNames;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Launches machines: first the intents, in one commit with the cluster's version, so that two
 * reconciles cannot launch twice; then the orders, whose repeats never create a second machine.
 */
final class MachineLauncher {
  private static final int BATCH = 300;
  private static final int NONCES = 16;

  private final Context context;
  private final String workersUrl;
  private final WorkerTransitions workerTransitions;
  private final LaunchFailures launchFailures;

  MachineLauncher(
      Context context,
      String workersUrl,
      WorkerTransitions workerTransitions,
      LaunchFailures launchFailures) {
    this.context = context;
    this.workersUrl = workersUrl;
    this.workerTransitions = workerTransitions;
    this.launchFailures = launchFailures;
  }

  /** A stored worker and the nonce that only its machine will know. */
  record Intent(VersionedDocument<Worker> worker, String nonce) {}

  /**
   * Stores what is to be launched and adds it to {@code intents}. False if another process changed
   * the cluster before everything was stored.
   */
  boolean storeIntents(
      VersionedDocument<Cluster> cluster,
      List<PlanDecision.Launch> launches,
      RemainingTpuQuota remainingTpuQuota,
      ClusterCache cache,
      List<Intent> intents) {
    var stored = cluster;
    for (var launch : launches)
      for (var done = 0; done < launch.count(); done += BATCH) {
        var batch =
            batch(
                stored,
                launch,
                done,
                Math.min(BATCH, launch.count() - done),
                intents,
                remainingTpuQuota,
                cache);
        if (batch.isEmpty()) return false;
        stored = batch.get();
        cache.launched(stored.value(), intents.stream().map(Intent::worker).toList());
      }
    return true;
  }

  private Optional<VersionedDocument<Cluster>> batch(
      VersionedDocument<Cluster> storedCluster,
      PlanDecision.Launch launch,
      int first,
      int count,
      List<Intent> intents,
      RemainingTpuQuota remainingTpuQuota,
      ClusterCache cache) {
    var pool = storedCluster.value().spec().pool(launch.pool()).orElseThrow();
    var nonces = new ArrayList<String>();
    var workers = new ArrayList<Worker>();
    for (var i = 0; i < count; i++) {
      nonces.add(context.ids().secret());
      workers.add(
          worker(
              storedCluster.value(),
              pool,
              launch.zone(),
              Sha256.of(nonces.getLast()),
              launch.launchedFor(first + i)));
    }
    var cluster =
        storedCluster
            .value()
            .withLaunched(workers.stream().map(Worker::name).toList(), cache.ended());
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(cluster, storedCluster.version()));
    workers.forEach(w -> ledgerWrites.add(new LedgerWrite.Create(w)));
    ledgerWrites.add(
        new LedgerWrite.Put(
            context.event(cluster.uid(), "pool/" + pool.name(), "ordered", why(launch, workers))));
    var taken = remainingTpuQuota.take(pool, count);
    taken.ifPresent(ledgerWrites::add);
    if (!(context.ledger().commit(ledgerWrites) instanceof CommitResult.Done done))
      return Optional.empty();
    if (taken.isPresent()) remainingTpuQuota.committed(done.versions().getLast());
    for (var i = 0; i < count; i++)
      intents.add(
          new Intent(
              new VersionedDocument<>(workers.get(i), done.versions().get(i + 1)), nonces.get(i)));
    return Optional.of(new VersionedDocument<>(cluster, done.versions().getFirst()));
  }

  private static String why(PlanDecision.Launch launch, List<Worker> workers) {
    var names = workers.stream().limit(8).map(Worker::name).toList();
    var more = workers.size() - names.size();
    return "%s%s in %s: %s"
        .formatted(
            String.join(", ", names),
            more > 0 ? " and %d more".formatted(more) : "",
            launch.zone(),
            launch.reason());
  }

  private Worker worker(
      Cluster cluster, PoolSpec pool, String zone, String hash, Optional<LaunchedFor> launchedFor) {
    var now = context.clock().instant();
    var name = WorkerNames.of(cluster, pool, context.ids().next(WorkerNames.OWN));
    return new Worker(
        cluster.uid(),
        name,
        pool.name(),
        zone,
        pool.machineType(),
        new WorkerState.Launching(now, now.plus(context.timings().bootDeadline())),
        0,
        0,
        hash,
        Optional.empty(),
        Resources.ZERO,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        cluster.generation(),
        now,
        Optional.empty(),
        Optional.empty(),
        pool.provisioning(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        pool.labels(),
        launchedFor,
        List.of(),
        Optional.empty(),
        Optional.of(pool.life()).filter(_ -> DrainPlanner.isBought(pool)),
        Optional.of(MachineUsage.ordered(PoolPrice.usdPerHour(cluster.spec(), pool), now)),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Orders the machine of an intent and applies the cloud's answer to the worker; a refusal is also
   * returned.
   */
  Optional<Fleet.Refusal> order(Cluster cluster, Intent intent) {
    var worker = intent.worker().value();
    var pool = cluster.spec().pool(worker.pool());
    var now = context.clock().instant();
    if (pool.isEmpty()) {
      workerTransitions.apply(
          intent.worker(), new WorkerEvent.DrainRequested(now, PoolVersions.REMOVED, now));
      return Optional.empty();
    }
    // It is stored already; the next reconcile orders it.
    if (launchFailures.isBackingOff(worker)) return Optional.empty();
    return switch (context.fleet().order(order(cluster, pool.get(), worker, intent.nonce()))) {
      case Fleet.Ordered.Accepted a -> {
        workerTransitions.apply(intent.worker(), new WorkerEvent.Ordered(now, a.operation()));
        yield Optional.empty();
      }
      case Fleet.Ordered.Exists e -> {
        adopt(intent.worker(), e.machine());
        yield Optional.empty();
      }
      case Fleet.Ordered.Refused r -> {
        launchFailures.handle(cluster, intent.worker(), r.refusal(), false);
        yield Optional.of(r.refusal());
      }
    };
  }

  /** Drops an order that the cloud would refuse, because it just refused the same. */
  void abandon(Cluster cluster, Intent intent, Fleet.Refusal refusal) {
    launchFailures.handle(cluster, intent.worker(), refusal, false);
  }

  private Fleet.Order order(Cluster cluster, PoolSpec pool, Worker worker, String nonce) {
    var workerInfo =
        new WorkerInfo(
            cluster.uid(),
            worker.name(),
            pool.name(),
            nonce,
            workersUrl,
            cluster.spec().bucket(),
            pool.visible());
    return new Fleet.Order(
        WorkerTransitions.machineName(worker),
        pool,
        MachineLabels.of(cluster, pool, worker),
        withPreparation(workerInfo.metadata(), cluster, pool, worker.zone()),
        UUID.nameUUIDFromBytes(worker.name().getBytes(StandardCharsets.UTF_8)).toString());
  }

  /** Adds what the machine prepares before its first task. */
  private static Map<String, String> withPreparation(
      Map<String, String> metadata, Cluster cluster, PoolSpec pool, String zone) {
    var all = new LinkedHashMap<>(metadata);
    all.putAll(cluster.spec().preparationMetadata(pool, zone));
    return all;
  }

  /** The cloud already has the machine: a process ordered it and could not record that. */
  Optional<VersionedDocument<Worker>> adopt(
      VersionedDocument<Worker> storedWorker, CloudMachine cloudMachine) {
    if (!WorkerTransitions.isMachineOf(cloudMachine, storedWorker.value()))
      return Optional.of(storedWorker);
    var seen =
        new VersionedDocument<>(
            storedWorker.value().withInstanceId(cloudMachine.id()), storedWorker.version());
    return workerTransitions.apply(seen, new WorkerEvent.MachineSeen(context.clock().instant()));
  }

  /**
   * Repeats an intent that another process could not finish, with a nonce that this process knows.
   * The nonce is added to the accepted ones, because it is unknown which order the cloud took.
   * Empty if it was repeated too often or another process changed the worker.
   */
  Optional<Intent> retry(VersionedDocument<Worker> storedWorker) {
    var worker = storedWorker.value();
    if (worker.nonceHash().split(",").length >= NONCES) return Optional.empty();
    var nonce = context.ids().secret();
    var next = worker.withNonceHash(Sha256.of(nonce));
    var commitResult =
        context.ledger().commit(List.of(new LedgerWrite.Update(next, storedWorker.version())));
    return commitResult instanceof CommitResult.Done done
        ? Optional.of(new Intent(new VersionedDocument<>(next, done.versions().getFirst()), nonce))
        : Optional.empty();
  }
}
