package dev.mayfly.core.clusters;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.lifecycle.WorkerLifecycle;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.Timings;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.worker.WorkerNames;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Machines of one's own join a static pool, and come back to it. Whoever may publish to the
 * clusters' topic may let one join: the message has the hash of a value that only the machine
 * knows, and which its first sync has to show before the boot deadline is over.
 *
 * <p>A repeated message changes nothing, nor does one that was published before the worker's newest
 * state began.
 */
public final class StaticWorkerJoin {
  private static final int TRIES = 8;
  private static final int MANY = 2_000;

  private final Ports ports;
  private final Timings timings;
  private final WorkerTransitions workerTransitions;

  public StaticWorkerJoin(Ports ports, Timings timings) {
    this.ports = ports;
    this.timings = timings;
    workerTransitions = new WorkerTransitions(ports, timings);
  }

  /**
   * Throws {@link InvalidInputException} when the pool has no such machines, or the name is another
   * one's.
   */
  public void join(UserCommand.JoinWorker asked, Instant publishedAt) {
    for (var tries = 0; tries < TRIES; tries++) {
      var cluster = ClusterLookup.named(ports.ledger(), asked.cluster());
      ClusterLookup.checkMeant(cluster, publishedAt);
      var pool = pool(cluster, asked.pool());
      var versionedDocument =
          ports.ledger().read(new DocumentKey.OfWorker(cluster.uid(), asked.worker()));
      if (versionedDocument.filter(s -> late(s.value(), asked, publishedAt)).isPresent()) return;
      versionedDocument.ifPresent(s -> check(s.value(), asked));
      if (versionedDocument.filter(s -> s.value().state().live()).isEmpty())
        checkRoom(cluster, pool);
      var next =
          next(cluster, pool, versionedDocument.map(VersionedDocument::value), asked)
              .withLastCommandAt(publishedAt);
      var ledgerWrite =
          versionedDocument
              .<LedgerWrite>map(s -> new LedgerWrite.Update(next, s.version()))
              .orElseGet(() -> new LedgerWrite.Create(next));
      if (commit(next, asked, ledgerWrite)) return;
    }
    throw new UnavailableException(
        "worker " + asked.worker() + " changes too fast; the message comes again");
  }

  private static boolean late(Worker worker, UserCommand.JoinWorker asked, Instant publishedAt) {
    var newest = worker.lastCommandAt().or(() -> Optional.of(worker.createdAt()));
    return List.of(worker.nonceHash().split(",")).contains(asked.nonceHash())
        || CommandOrder.of(newest, publishedAt) != CommandOrder.NEW;
  }

  private static PoolSpec pool(Cluster cluster, String name) {
    var own =
        cluster.spec().pools().stream()
            .filter(p -> p.provisioning() == Provisioning.STATIC)
            .map(PoolSpec::name)
            .collect(Collectors.joining(", "));
    var there = own.isEmpty() ? "it has none such" : "those are " + own;
    var pool =
        cluster
            .spec()
            .pool(name)
            .orElseThrow(() ->
                new InvalidInputException(
                    "pool",
                    "cluster %s has no pool %s; machines join pools with provisioning: static, and %s"
                        .formatted(cluster.spec().name(), name, there)));
    if (pool.provisioning() != Provisioning.STATIC)
      throw new InvalidInputException(
          "pool",
          "the machines of pool %s are bought (%s); machines join pools with provisioning: static, and %s"
              .formatted(name, pool.provisioning().word(), there));
    return pool;
  }

  private static void check(Worker worker, UserCommand.JoinWorker asked) {
    if (worker.provisioning() != Provisioning.STATIC)
      throw new InvalidInputException(
          "worker", worker.name() + " is a machine that was bought; choose another name");
    if (worker.state() instanceof WorkerState.Gone) return;
    if (!worker.pool().equals(asked.pool()))
      throw new InvalidInputException(
          "worker",
          "%s is of pool %s; remove it there first (mayfly worker remove %s), or choose another name"
              .formatted(worker.name(), worker.pool(), worker.name()));
    var other = worker.instanceId().filter(id -> !id.equals(asked.machine()));
    if (other.isPresent())
      throw new InvalidInputException(
          "worker",
          "%s is another machine, %s, or another work folder of it; choose another name, or remove that one first (mayfly worker remove %s)"
              .formatted(worker.name(), other.get(), worker.name()));
  }

  private void checkRoom(Cluster cluster, PoolSpec pool) {
    var found = ports.ledger().query(new LedgerQuery.Workers(cluster.uid(), false, MANY));
    // Of one that cannot be read nobody can tell the pool.
    var has =
        WorkerNames.own(cluster, found.unreadable())
            + found.readableOnly().stream()
                .map(VersionedDocument::value)
                .filter(w -> w.pool().equals(pool.name()) && w.state().live())
                .count();
    if (has >= pool.max())
      throw new InvalidInputException(
          "pool",
          "pool %s may have %d workers and has %d; raise workers.max, or remove one (mayfly worker remove NAME)"
              .formatted(pool.name(), pool.max(), has));
  }

  private Worker next(
      Cluster cluster, PoolSpec pool, Optional<Worker> was, UserCommand.JoinWorker asked) {
    var now = ports.clock().instant();
    var joined = new WorkerEvent.Joined(now, now.plus(timings.bootDeadline()));
    var fresh = fresh(cluster, pool, asked, now);
    if (was.isEmpty()) return fresh;
    var before = was.get();
    if (before.state().live()) return before.withNonceHash(asked.nonceHash());
    var state = WorkerLifecycle.on(before.state(), joined).next();
    var epoch = before.epoch() + 1;
    // What it held and must not run twice stays leased until its agent has killed all that is left.
    return fresh.withEpoch(epoch).with(state).withLeases(before.held());
  }

  private Worker fresh(Cluster cluster, PoolSpec pool, UserCommand.JoinWorker asked, Instant now) {
    return new Worker(
        cluster.uid(),
        asked.worker(),
        pool.name(),
        pool.zones().getFirst(),
        pool.machineType(),
        new WorkerState.Booting(now, now.plus(timings.bootDeadline()), ""),
        0,
        0,
        asked.nonceHash(),
        Optional.empty(),
        Resources.ZERO,
        List.of(),
        Optional.empty(),
        Optional.of(asked.machine()),
        cluster.generation(),
        now,
        Optional.empty(),
        Optional.empty(),
        Provisioning.STATIC);
  }

  private boolean commit(Worker next, UserCommand.JoinWorker asked, LedgerWrite ledgerWrite) {
    var why = "machine %s joins pool %s".formatted(asked.machine(), asked.pool());
    var eventRecord =
        workerTransitions.event(next.cluster(), "worker/" + next.name(), "joined", why);
    var now = ports.clock().instant();
    var told = new LedgerWrite.Notify(next.cluster(), now, false, List.of(next.name()));
    if (!ports.ledger().commit(List.of(ledgerWrite, new LedgerWrite.Put(eventRecord), told)).done())
      return false;
    TriggerSender.send(ports.bus(), Trigger.Look.worker(next.cluster(), next.name()));
    return true;
  }
}
