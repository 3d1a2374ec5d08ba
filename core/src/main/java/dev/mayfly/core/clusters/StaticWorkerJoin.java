package dev.mayfly.core.clusters;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.lifecycle.WorkerLifecycle;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.LateWork;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.worker.WorkerNames;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Static workers join a static pool, and return to it. Any publisher to the clusters' topic may let
 * one join: the message has the hash of a nonce that only the machine knows and that its first sync
 * must show before the boot deadline.
 *
 * <p>A repeated message changes nothing, nor does one published before the worker's newest state
 * began.
 */
public final class StaticWorkerJoin {
  private static final int MAX_WORKERS_READ = 2_000;

  private final Context context;

  public StaticWorkerJoin(Context context) {
    this.context = context;
  }

  /**
   * Throws {@link InvalidInputException} if the pool is not static, or another machine has the
   * name.
   */
  public void join(UserCommand.JoinWorker command, Instant publishedAt) {
    Transactions.retry("worker " + command.worker(), () -> joined(command, publishedAt));
  }

  private boolean joined(UserCommand.JoinWorker command, Instant publishedAt) {
    var cluster = ClusterLookup.named(context.ledger(), command.cluster());
    ClusterLookup.checkMeant(cluster, publishedAt);
    var pool = pool(cluster, command.pool());
    var storedWorker =
        context.ledger().read(new DocumentKey.OfWorker(cluster.uid(), command.worker()));
    if (storedWorker.filter(s -> isObsolete(s.value(), command, publishedAt)).isPresent())
      return true;
    storedWorker.ifPresent(s -> check(s.value(), command));
    if (storedWorker.filter(s -> s.value().state().live()).isEmpty()) checkRoom(cluster, pool);
    var next =
        next(cluster, pool, storedWorker.map(VersionedDocument::value), command)
            .withLastCommandAt(publishedAt);
    var ledgerWrite =
        storedWorker
            .<LedgerWrite>map(s -> new LedgerWrite.Update(next, s.version()))
            .orElseGet(() -> new LedgerWrite.Create(next));
    return commit(next, command, ledgerWrite);
  }

  private static boolean isObsolete(
      Worker worker, UserCommand.JoinWorker command, Instant publishedAt) {
    var newest = worker.lastCommandAt().or(() -> Optional.of(worker.createdAt()));
    return List.of(worker.nonceHash().split(",")).contains(command.nonceHash())
        || CommandOrder.of(newest, publishedAt) != CommandOrder.NEW;
  }

  private static PoolSpec pool(Cluster cluster, String name) {
    var names =
        cluster.spec().pools().stream()
            .filter(p -> p.provisioning() == Provisioning.STATIC)
            .map(PoolSpec::name)
            .collect(Collectors.joining(", "));
    var staticPools = names.isEmpty() ? "it has none" : "those are " + names;
    var pool =
        cluster
            .spec()
            .pool(name)
            .orElseThrow(() ->
                new InvalidInputException(
                    "pool",
                    "cluster %s has no pool %s; static workers join pools with provisioning: static, and %s"
                        .formatted(cluster.spec().name(), name, staticPools)));
    if (pool.provisioning() != Provisioning.STATIC)
      throw new InvalidInputException(
          "pool",
          "pool %s has cloud machines (%s); static workers join pools with provisioning: static, and %s"
              .formatted(name, pool.provisioning().word(), staticPools));
    return pool;
  }

  private static void check(Worker worker, UserCommand.JoinWorker command) {
    if (worker.provisioning() != Provisioning.STATIC)
      throw new InvalidInputException(
          "worker", worker.name() + " is a cloud worker; choose another name");
    if (worker.state() instanceof WorkerState.Gone) return;
    if (!worker.pool().equals(command.pool()))
      throw new InvalidInputException(
          "worker",
          "%s is of pool %s; remove it there first (mayfly worker remove %s), or choose another name"
              .formatted(worker.name(), worker.pool(), worker.name()));
    var other = worker.instanceId().filter(id -> !id.equals(command.machine()));
    if (other.isPresent())
      throw new InvalidInputException(
          "worker",
          "%s is another machine, %s, or another work folder of it; choose another name, or remove that one first (mayfly worker remove %s)"
              .formatted(worker.name(), other.get(), worker.name()));
  }

  private void checkRoom(Cluster cluster, PoolSpec pool) {
    var found =
        context.ledger().query(new LedgerQuery.Workers(cluster.uid(), false, MAX_WORKERS_READ));
    // The pool of an unreadable static worker is unknown, so it counts in each.
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
      Cluster cluster, PoolSpec pool, Optional<Worker> was, UserCommand.JoinWorker command) {
    var now = context.clock().instant();
    var joined = new WorkerEvent.Joined(now, now.plus(context.timings().bootDeadline()));
    var created =
        newWorker(cluster, pool, command, now).withCordon(cluster.cordon(pool.name(), now));
    if (was.isEmpty()) return created;
    var before = was.get();
    if (before.state().live())
      return before.withNonceHash(command.nonceHash()).withLabels(labels(pool, command));
    var state = WorkerLifecycle.on(before.state(), joined).next();
    var epoch = before.epoch() + 1;
    // Leases that must not run twice stay with it until its agent has killed all that is left.
    return created.withEpoch(epoch).with(state).withLeases(before.held(), now);
  }

  private Worker newWorker(
      Cluster cluster, PoolSpec pool, UserCommand.JoinWorker command, Instant now) {
    return new Worker(
        cluster.uid(),
        command.worker(),
        pool.name(),
        pool.zones().getFirst(),
        pool.machineType(),
        new WorkerState.Booting(now, now.plus(context.timings().bootDeadline()), ""),
        0,
        0,
        command.nonceHash(),
        Optional.empty(),
        Resources.ZERO,
        List.of(),
        Optional.empty(),
        Optional.of(command.machine()),
        cluster.generation(),
        now,
        Optional.empty(),
        Optional.empty(),
        Provisioning.STATIC,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        labels(pool, command),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The machine's own labels come before its pool's. */
  private static Map<String, String> labels(PoolSpec pool, UserCommand.JoinWorker command) {
    var labels = new HashMap<>(pool.labels());
    labels.putAll(command.labels());
    return labels;
  }

  private boolean commit(Worker next, UserCommand.JoinWorker command, LedgerWrite ledgerWrite) {
    var why = "machine %s joins pool %s".formatted(command.machine(), command.pool());
    var eventRecord = context.event(next.cluster(), "worker/" + next.name(), "joined", why);
    var now = context.clock().instant();
    var signal = new LedgerWrite.Signal(next.cluster(), now, false, List.of(next.name()));
    var ledgerWrites = List.<LedgerWrite>of(ledgerWrite, new LedgerWrite.Put(eventRecord), signal);
    if (!context.ledger().commit(ledgerWrites).done()) return false;
    LateWork.end(context.ledger(), next.cluster());
    TriggerSender.send(context.bus(), Trigger.Reconcile.worker(next.cluster(), next.name()));
    return true;
  }
}
