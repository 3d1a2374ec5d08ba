package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Decision;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.core.worker.WorkerEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Launches machines: the intents first, in one commit with the cluster's version, so that two
 * rounds cannot launch twice; then the orders, whose repeat never makes a second machine.
 */
final class Launches {
  private static final int BATCH = 300;
  private static final int NONCES = 16;

  private final Ports ports;
  private final Rules rules;
  private final String workersUrl;
  private final Lives lives;
  private final Refusals refusals;

  Launches(Ports ports, Rules rules, String workersUrl, Lives lives, Refusals refusals) {
    this.ports = ports;
    this.rules = rules;
    this.workersUrl = workersUrl;
    this.lives = lives;
    this.refusals = refusals;
  }

  /** A worker that was stored, and the value that only its machine will know. */
  record Intent(Stored<Worker> worker, String nonce) {}

  /**
   * Stores what is to be launched, in {@code intents}. False if another process changed the cluster
   * before all of it was stored.
   */
  boolean commit(
      Stored<Cluster> cluster,
      List<Decision.Launch> launches,
      Budget budget,
      ClusterSight sight,
      List<Intent> intents) {
    var stored = cluster;
    for (var launch : launches)
      for (var done = 0; done < launch.count(); done += BATCH) {
        var batch =
            batch(stored, launch, Math.min(BATCH, launch.count() - done), intents, budget, sight);
        if (batch.isEmpty()) return false;
        stored = batch.get();
        sight.launched(stored.value(), intents.stream().map(Intent::worker).toList());
      }
    return true;
  }

  private Optional<Stored<Cluster>> batch(
      Stored<Cluster> stored,
      Decision.Launch launch,
      int count,
      List<Intent> intents,
      Budget budget,
      ClusterSight sight) {
    var pool = stored.value().spec().pool(launch.pool()).orElseThrow();
    var nonces = new ArrayList<String>();
    var workers = new ArrayList<Worker>();
    for (var i = 0; i < count; i++) {
      nonces.add(ports.ids().secret());
      workers.add(worker(stored.value(), pool, launch.zone(), Sha256.of(nonces.getLast())));
    }
    var cluster =
        stored.value().launching(workers.stream().map(Worker::name).toList(), sight.ended());
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(cluster, stored.version()));
    workers.forEach(w -> writes.add(new Write.Create(w)));
    writes.add(
        new Write.Put(
            lives.event(cluster.uid(), "pool/" + pool.name(), "launched", why(launch, workers))));
    var taken = budget.take(pool, count);
    taken.ifPresent(writes::add);
    if (!(ports.ledger().commit(writes) instanceof Committed.Done done)) return Optional.empty();
    if (taken.isPresent()) budget.taken(done.versions().getLast());
    for (var i = 0; i < count; i++)
      intents.add(
          new Intent(new Stored<>(workers.get(i), done.versions().get(i + 1)), nonces.get(i)));
    return Optional.of(new Stored<>(cluster, done.versions().getFirst()));
  }

  private static String why(Decision.Launch launch, List<Worker> workers) {
    var names = workers.stream().limit(8).map(Worker::name).toList();
    var more = workers.size() - names.size();
    return "%s%s in %s: %s"
        .formatted(
            String.join(", ", names),
            more > 0 ? " and %d more".formatted(more) : "",
            launch.zone(),
            launch.reason());
  }

  private Worker worker(Cluster cluster, PoolSpec pool, String zone, String hash) {
    var now = ports.clock().instant();
    var name = WorkerNames.of(cluster, pool, ports.ids().next(WorkerNames.OWN));
    return new Worker(
        cluster.uid(),
        name,
        pool.name(),
        zone,
        pool.machineType(),
        new WorkerState.Launching(now, now.plus(rules.bootDeadline())),
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
        pool.provisioning());
  }

  /**
   * Orders the machine of an intent. What the cloud said is told to the worker; a refusal is
   * returned too.
   */
  Optional<Fleet.Refusal> order(Cluster cluster, Intent intent) {
    var worker = intent.worker().value();
    var pool = cluster.spec().pool(worker.pool());
    var now = ports.clock().instant();
    if (pool.isEmpty()) {
      lives.tell(
          intent.worker(),
          new WorkerEvent.DrainAsked(now, "its pool is no longer in the spec", now));
      return Optional.empty();
    }
    // It is stored, and the next round orders it.
    if (refusals.restingFor(worker)) return Optional.empty();
    return switch (ports.fleet().order(order(cluster, pool.get(), worker, intent.nonce()))) {
      case Fleet.Ordered.Accepted a -> {
        lives.tell(intent.worker(), new WorkerEvent.Ordered(now, a.operation()));
        yield Optional.empty();
      }
      case Fleet.Ordered.Exists e -> {
        adopt(intent.worker(), e.machine());
        yield Optional.empty();
      }
      case Fleet.Ordered.Refused r -> {
        refusals.take(cluster, intent.worker(), r.refusal(), false);
        yield Optional.of(r.refusal());
      }
    };
  }

  /** An order that was made for nothing, since the same was refused a moment ago. */
  void forgo(Cluster cluster, Intent intent, Fleet.Refusal refusal) {
    refusals.take(cluster, intent.worker(), refusal, false);
  }

  private Fleet.Order order(Cluster cluster, PoolSpec pool, Worker worker, String nonce) {
    var sheet =
        new MachineSheet(
            cluster.uid(),
            worker.name(),
            pool.name(),
            nonce,
            workersUrl,
            cluster.spec().bucket(),
            pool.visible());
    return new Fleet.Order(
        Lives.machine(worker),
        pool,
        labels(cluster, pool, worker),
        equipped(sheet.metadata(), cluster),
        UUID.nameUUIDFromBytes(worker.name().getBytes(StandardCharsets.UTF_8)).toString());
  }

  private static Map<String, String> labels(Cluster cluster, PoolSpec pool, Worker worker) {
    var labels = new HashMap<String, String>();
    labels.put(Machine.CLUSTER, cluster.uid());
    labels.put(Machine.POOL, pool.name());
    labels.put(Machine.WORKER, worker.name());
    cluster.spec().owner().ifPresent(owner -> labels.put(Machine.OWNER, label(owner)));
    return labels;
  }

  /**
   * As a label's value may be written: at most 63 lower-case letters, digits, {@code _} and {@code
   * -} (cloud.google.com/compute/docs/labeling-resources). An owner is often an address.
   */
  private static String label(String text) {
    var plain = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "-");
    return plain.substring(0, Math.min(63, plain.length()));
  }

  /** What the machine prepares before its first task, as data. */
  private static Map<String, String> equipped(Map<String, String> sheet, Cluster cluster) {
    var all = new LinkedHashMap<>(sheet);
    all.putAll(cluster.spec().equipment());
    return all;
  }

  /** The cloud has the machine already: some process ordered it and could not say so. */
  Optional<Stored<Worker>> adopt(Stored<Worker> stored, Machine machine) {
    if (!Lives.isOf(machine, stored.value())) return Optional.of(stored);
    var seen = new Stored<>(stored.value().seen(machine.id()), stored.version());
    return lives.tell(seen, new WorkerEvent.MachineSeen(ports.clock().instant()));
  }

  /**
   * An intent of somebody who could not finish, with a value that this process knows: it is added
   * to those that the worker may show, for nobody can tell which of the orders the cloud took.
   * Empty if it was repeated too often or somebody changed the worker.
   */
  Optional<Intent> again(Stored<Worker> stored) {
    var worker = stored.value();
    if (worker.nonceHash().split(",").length >= NONCES) return Optional.empty();
    var nonce = ports.ids().secret();
    var next = worker.knowing(Sha256.of(nonce));
    var committed = ports.ledger().commit(List.of(new Write.Update(next, stored.version())));
    return committed instanceof Committed.Done done
        ? Optional.of(new Intent(new Stored<>(next, done.versions().getFirst()), nonce))
        : Optional.empty();
  }
}
