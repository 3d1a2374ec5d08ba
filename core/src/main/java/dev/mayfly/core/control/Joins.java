package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.core.worker.WorkerEvent;
import dev.mayfly.core.worker.WorkerLifecycle;
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
final class Joins {
  private static final int TRIES = 8;
  private static final int MANY = 2_000;

  private final Ports ports;
  private final Rules rules;
  private final Lives lives;

  Joins(Ports ports, Rules rules) {
    this.ports = ports;
    this.rules = rules;
    lives = new Lives(ports, rules);
  }

  /** Throws {@link Invalid} when the pool has no such machines, or the name is another one's. */
  void join(Command.JoinWorker asked, Instant publishedAt) {
    for (var tries = 0; tries < TRIES; tries++) {
      var cluster = Clusters.named(ports.ledger(), asked.cluster());
      Clusters.checkMeant(cluster, publishedAt);
      var pool = pool(cluster, asked.pool());
      var stored = ports.ledger().read(new Key.OfWorker(cluster.uid(), asked.worker()));
      if (stored.filter(s -> late(s.value(), asked, publishedAt)).isPresent()) return;
      stored.ifPresent(s -> check(s.value(), asked));
      if (stored.filter(s -> s.value().state().live()).isEmpty()) full(cluster, pool);
      var next = next(cluster, pool, stored.map(Stored::value), asked).commanded(publishedAt);
      var write =
          stored
              .<Write>map(s -> new Write.Update(next, s.version()))
              .orElseGet(() -> new Write.Create(next));
      if (commit(next, asked, write)) return;
    }
    throw new Unavailable(
        "worker " + asked.worker() + " changes too fast; the message comes again");
  }

  private static boolean late(Worker worker, Command.JoinWorker asked, Instant publishedAt) {
    var newest = worker.lastCommandAt().or(() -> Optional.of(worker.createdAt()));
    return List.of(worker.nonceHash().split(",")).contains(asked.nonceHash())
        || Word.of(newest, publishedAt) != Word.NEW;
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
                new Invalid(
                    "pool",
                    "cluster %s has no pool %s; machines join pools with provisioning: static, and %s"
                        .formatted(cluster.spec().name(), name, there)));
    if (pool.provisioning() != Provisioning.STATIC)
      throw new Invalid(
          "pool",
          "the machines of pool %s are bought (%s); machines join pools with provisioning: static, and %s"
              .formatted(name, pool.provisioning().word(), there));
    return pool;
  }

  private static void check(Worker worker, Command.JoinWorker asked) {
    if (worker.provisioning() != Provisioning.STATIC)
      throw new Invalid(
          "worker", worker.name() + " is a machine that was bought; choose another name");
    if (worker.state() instanceof WorkerState.Gone) return;
    if (!worker.pool().equals(asked.pool()))
      throw new Invalid(
          "worker",
          "%s is of pool %s; remove it there first (mayfly worker remove %s), or choose another name"
              .formatted(worker.name(), worker.pool(), worker.name()));
    var other = worker.instanceId().filter(id -> !id.equals(asked.machine()));
    if (other.isPresent())
      throw new Invalid(
          "worker",
          "%s is another machine, %s, or another work folder of it; choose another name, or remove that one first (mayfly worker remove %s)"
              .formatted(worker.name(), other.get(), worker.name()));
  }

  private void full(Cluster cluster, PoolSpec pool) {
    var found = ports.ledger().query(new Query.Workers(cluster.uid(), false, MANY));
    // Of one that cannot be read nobody can tell the pool.
    var has =
        WorkerNames.own(cluster, found.unreadable())
            + found.some().stream()
                .map(Stored::value)
                .filter(w -> w.pool().equals(pool.name()) && w.state().live())
                .count();
    if (has >= pool.max())
      throw new Invalid(
          "pool",
          "pool %s may have %d workers and has %d; raise workers.max, or remove one (mayfly worker remove NAME)"
              .formatted(pool.name(), pool.max(), has));
  }

  private Worker next(
      Cluster cluster, PoolSpec pool, Optional<Worker> was, Command.JoinWorker asked) {
    var now = ports.clock().instant();
    var joined = new WorkerEvent.Joined(now, now.plus(rules.bootDeadline()));
    var fresh = fresh(cluster, pool, asked, now);
    if (was.isEmpty()) return fresh;
    var before = was.get();
    if (before.state().live()) return before.knowing(asked.nonceHash());
    var state = WorkerLifecycle.on(before.state(), joined).next();
    var epoch = before.epoch() + 1;
    // What it held and must not run twice stays leased until its agent has killed all that is left.
    return fresh.atEpoch(epoch).with(state).holding(before.held());
  }

  private Worker fresh(Cluster cluster, PoolSpec pool, Command.JoinWorker asked, Instant now) {
    return new Worker(
        cluster.uid(),
        asked.worker(),
        pool.name(),
        pool.zones().getFirst(),
        pool.machineType(),
        new WorkerState.Booting(now, now.plus(rules.bootDeadline()), ""),
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

  private boolean commit(Worker next, Command.JoinWorker asked, Write write) {
    var why = "machine %s joins pool %s".formatted(asked.machine(), asked.pool());
    var event = lives.event(next.cluster(), "worker/" + next.name(), "joined", why);
    var now = ports.clock().instant();
    var told = new Write.Notify(next.cluster(), now, false, List.of(next.name()));
    if (!ports.ledger().commit(List.of(write, new Write.Put(event), told)).done()) return false;
    Hints.send(ports.bus(), Hint.Look.worker(next.cluster(), next.name()));
    return true;
  }
}
