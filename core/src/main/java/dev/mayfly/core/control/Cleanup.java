package dev.mayfly.core.control;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Fleet.Inventory;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.core.worker.WorkerEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares what the cloud has with what the ledger says, in both directions, so that nothing is
 * left switched on and nobody waits for what is gone. It is the net below {@link Rounds} and shares
 * no failure with them.
 *
 * <p><b>Must:</b> touch nothing that does not carry the label of a cluster that this ledger knows,
 * and its worker's name as its own; take a list that is not complete as evidence of nothing; delete
 * a machine of a worker that lives only when the cloud itself has stopped it; leave machines alone
 * whose cluster or worker cannot be read.
 */
public final class Cleanup {
  private final Ports ports;
  private final Rules rules;
  private final Lives lives;
  private final LeftoverCare leftovers;
  private final SettledMachines settled = new SettledMachines();
  private final DocumentPurge purge;
  private final TroubleLog log = new TroubleLog();

  public Cleanup(Ports ports, Rules rules) {
    this.ports = ports;
    this.rules = rules;
    lives = new Lives(ports, rules);
    leftovers = new LeftoverCare(ports, rules, lives);
    purge = new DocumentPurge(ports, rules);
  }

  /** What a pass would delete now, by the same decisions; nothing is deleted and nothing stored. */
  public static CleanupView rehearse(Ports ports, Rules rules) {
    return new Rehearsal(ports).run(rules);
  }

  /**
   * One pass. What went wrong with one machine, and what was left alone because nobody knows whose
   * it is, is told, a line each; it never stops the pass. Throws {@link
   * dev.mayfly.core.error.Unavailable} if the cloud or the ledger can't be listed; then nothing was
   * done. Passes of one process come one after another: they share what the last one saw.
   */
  public synchronized List<String> sweep() {
    var troubles = new Troubles(log, ports);
    // The cloud first: an intent is stored before its order, so what is listed has a document by
    // now.
    var inventory = ports.fleet().list();
    var found = ports.ledger().query(new Query.Clusters(true));
    var clusters = new HashMap<String, Cluster>();
    for (var stored : found.readable(troubles::unreadable))
      clusters.put(stored.value().uid(), stored.value());
    inventory.warnings().forEach(w -> troubles.add("the list of machines", w));
    compare(inventory, clusters, troubles);
    troubles.guard("disks and addresses", () -> leftovers.sweep(clusters, troubles));
    purge.run(clusters.values(), troubles);
    return troubles.told();
  }

  private void compare(Inventory inventory, Map<String, Cluster> clusters, Troubles troubles) {
    var start = ports.clock().instant();
    var asked = settled.changed(inventory, start);
    settled.forget();
    var known = new HashMap<String, Map<String, Stored<Worker>>>();
    for (var cluster : clusters.values())
      if (cluster.phase() != Cluster.Phase.GONE)
        troubles.guard(
            "cluster " + cluster.spec().name(),
            () -> known.put(cluster.uid(), known(cluster, asked, troubles)));
    var machines =
        inventory.machines().stream()
            .filter(m -> asked.isEmpty() || asked.get().containsKey(m.name()))
            .<Runnable>map(m ->
                () ->
                    troubles.guard(
                        "machine " + m.name().name(), () -> machine(m, clusters, known, troubles)))
            .toList();
    CloudCalls.run(ports.alarms(), machines);
    known.forEach((_, workers) -> absent(workers.values(), inventory, troubles));
    if (!inventory.complete() || troubles.failed()) return;
    var workers =
        known.values().stream().flatMap(k -> k.values().stream()).map(Stored::value).toList();
    settled.compared(inventory, asked, workers, start);
  }

  private Map<String, Stored<Worker>> known(
      Cluster cluster, Optional<Map<Machine.Name, Key.OfWorker>> asked, Troubles troubles) {
    var known = new LinkedHashMap<String, Stored<Worker>>();
    for (var page : pages(cluster, asked))
      for (var stored : page.readable(troubles::unreadable))
        known.put(stored.value().name(), stored);
    return known;
  }

  private List<Listing<Worker>> pages(
      Cluster cluster, Optional<Map<Machine.Name, Key.OfWorker>> asked) {
    if (asked.isEmpty())
      return List.of(ports.ledger().query(new Query.Workers(cluster.uid(), false, Round.WORKERS)));
    var keys =
        asked.get().values().stream().filter(k -> k.cluster().equals(cluster.uid())).toList();
    return KeyPages.of(keys).stream().map(page -> ports.ledger().readAll(page)).toList();
  }

  private void machine(
      Machine machine,
      Map<String, Cluster> clusters,
      Map<String, Map<String, Stored<Worker>>> known,
      Troubles troubles) {
    var uid = machine.labels().getOrDefault(Machine.CLUSTER, "");
    var cluster = clusters.get(uid);
    var name = machine.name().name();
    if (cluster == null || !name.equals(machine.labels().get(Machine.WORKER))) {
      // Another deployment's in the same project, or somebody's own: to delete it could do harm.
      troubles.remark(
          "machine " + name,
          "left alone: its labels are of no cluster and worker that can be read here");
      return;
    }
    var worker =
        Optional.ofNullable(known.getOrDefault(uid, Map.of()).get(name))
            .or(() -> ports.ledger().read(new Key.OfWorker(uid, name)));
    if (worker.isEmpty()
        || SettledMachines.isOwn(worker.get().value())
        || !worker.get().value().zone().equals(machine.name().zone())) orphan(cluster, machine);
    else owned(cluster, worker.get(), machine);
  }

  private void orphan(Cluster cluster, Machine machine) {
    var young = machine.createdAt().plus(rules.orphanGrace()).isAfter(ports.clock().instant());
    if (!young) delete(cluster, machine, "no worker of this cluster has it");
  }

  private void delete(Cluster cluster, Machine machine, String why) {
    if (machine.status() == Machine.Status.STOPPING) return;
    if (!lives.calls().mayDelete(machine.name(), ports.clock().instant())
        || !ports.fleet().delete(machine.name())) return;
    var event = lives.event(cluster.uid(), "machine/" + machine.name().name(), "swept", why);
    ports.ledger().commit(List.of(new Write.Put(event)));
  }

  private void owned(Cluster cluster, Stored<Worker> stored, Machine machine) {
    switch (stored.value().state()) {
      case WorkerState.Gone _ ->
          delete(
              cluster, machine, "its worker is gone, and the machine came or stayed all the same");
      case WorkerState.Drained _, WorkerState.Lost _ -> lives.end(stored);
      case WorkerState.Launching _,
          WorkerState.Booting _,
          WorkerState.Ready _,
          WorkerState.Draining _ -> {
        if (machine.status() == Machine.Status.STOPPED) stopped(cluster, stored);
      }
    }
  }

  private void stopped(Cluster cluster, Stored<Worker> stored) {
    var spot =
        cluster
                .spec()
                .pool(stored.value().pool())
                .map(PoolSpec::provisioning)
                .orElse(Provisioning.SPOT)
            == Provisioning.SPOT;
    var taken = spot || stored.value().notice().isPresent();
    var event =
        new WorkerEvent.MachineStopped(
            ports.clock().instant(),
            taken ? Cause.PREEMPTED : Cause.LOST,
            taken ? "the cloud stopped the spot machine" : "the machine was stopped");
    lives.tell(stored, event).ifPresent(lives::end);
  }

  /** The other direction: workers whose machine is nowhere. */
  private void absent(Collection<Stored<Worker>> workers, Inventory inventory, Troubles troubles) {
    if (!inventory.complete()) return;
    var there = new HashMap<Machine.Name, Machine>();
    for (var machine : inventory.machines()) there.put(machine.name(), machine);
    var missing = new ArrayList<Runnable>();
    for (var stored : workers)
      if (!SettledMachines.isOwn(stored.value())
          && !there.containsKey(Lives.machine(stored.value())))
        missing.add(() -> troubles.guard("worker " + stored.value().name(), () -> absent(stored)));
    CloudCalls.run(ports.alarms(), missing);
  }

  private void absent(Stored<Worker> stored) {
    var worker = stored.value();
    switch (worker.state()) {
      // Its order may be on its way; rounds look after it.
      case WorkerState.Launching _ -> {}
      case WorkerState.Booting b -> {
        if (settled(worker, b) && missing(worker)) tellMissing(stored);
      }
      case WorkerState.Ready _, WorkerState.Draining _ -> {
        if (missing(worker)) tellMissing(stored).ifPresent(lives::end);
      }
      case WorkerState.Drained _, WorkerState.Lost _ -> lives.end(stored);
      case WorkerState.Gone _ -> {}
    }
  }

  /** A list may be older than the machine: the machine's own 404 decides. */
  private boolean missing(Worker worker) {
    return ports.fleet().find(Lives.machine(worker)).isEmpty();
  }

  private boolean settled(Worker worker, WorkerState.Booting state) {
    if (worker.instanceId().isPresent() || state.operation().isEmpty()) return true;
    var progress = ports.fleet().progress(Lives.machine(worker), state.operation());
    return progress.filter(p -> p instanceof Progress.Pending).isEmpty();
  }

  private Optional<Stored<Worker>> tellMissing(Stored<Worker> stored) {
    return lives.tell(stored, new WorkerEvent.MachineMissing(ports.clock().instant(), true));
  }
}
