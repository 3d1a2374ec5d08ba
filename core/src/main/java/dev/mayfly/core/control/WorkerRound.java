package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Decision;
import dev.mayfly.core.plan.Plan;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.worker.WorkerEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What a round does for many workers at once: each needs calls of the cloud, which are slow. */
final class WorkerRound {
  private static final int BOOTING = 50;

  private final Ports ports;
  private final Rules rules;
  private final Lives lives;
  private final WorkerCare care;

  WorkerRound(Ports ports, Rules rules, Lives lives, WorkerCare care) {
    this.ports = ports;
    this.rules = rules;
    this.lives = lives;
    this.care = care;
  }

  /**
   * Performs the effects that each worker's state owes. A worker whose step fails, or that another
   * process changed, still counts.
   */
  void look(Cluster cluster, ClusterSight sight, boolean tick, Troubles troubles) {
    var booting = 0;
    var owing = new ArrayList<Stored<Worker>>();
    for (var stored : sight.workers()) {
      if (!sight.needsCare(stored)) continue;
      // A look is often and must be cheap; the tick asks about every machine that boots.
      var boots = stored.value().state() instanceof WorkerState.Booting;
      if (!boots || tick || ++booting <= BOOTING) owing.add(stored);
    }
    owing.forEach(w -> sight.changes(w.value().name()));
    var found = new ConcurrentHashMap<String, Optional<Stored<Worker>>>();
    var calls = new ArrayList<Runnable>();
    for (var stored : owing) {
      var place = "worker " + stored.value().name();
      Consumer<Optional<Stored<Worker>>> then =
          after ->
              calls.add(() -> troubles.guard(place, () -> look(cluster, stored, after, found)));
      // In turn: the workers of one gang change one document.
      troubles.guard(place, () -> then.accept(care.lookAtGangs(cluster, stored)));
    }
    CloudCalls.run(ports.alarms(), calls);
    found.forEach((name, now) -> now.ifPresentOrElse(sight::knows, () -> sight.gone(name)));
  }

  private void look(
      Cluster cluster,
      Stored<Worker> stored,
      Optional<Stored<Worker>> after,
      Map<String, Optional<Stored<Worker>>> found) {
    var now = after.flatMap(w -> care.look(cluster, w));
    found.put(stored.value().name(), now.or(() -> ports.ledger().read(stored.value().key())));
  }

  void drain(
      Cluster cluster,
      List<Decision.Drain> drains,
      Map<String, Stored<Worker>> workers,
      Troubles troubles) {
    CloudCalls.run(
        ports.alarms(),
        drains.stream()
            .<Runnable>map(
                d -> () -> troubles.guard("worker " + d.worker(), () -> drain(cluster, d, workers)))
            .toList());
  }

  private void drain(Cluster cluster, Decision.Drain drain, Map<String, Stored<Worker>> workers) {
    var now = ports.clock().instant();
    var time = cluster.phase() == Cluster.Phase.UP ? rules.drainDeadline() : rules.downDeadline();
    var soon = now.plus(time);
    var deadline = drain.until().filter(soon::isBefore).orElse(soon);
    var event = new WorkerEvent.DrainAsked(now, drain.reason(), deadline);
    Optional.ofNullable(workers.get(drain.worker()))
        .flatMap(stored -> lives.tell(stored, event, Optional.of("draining")))
        .ifPresent(lives::end);
  }

  /** Orders the stored intents that have no machine yet, except those that this plan cancels. */
  void orderAgain(
      Cluster cluster,
      List<Stored<Worker>> workers,
      ClusterSight sight,
      Plan plan,
      Troubles troubles) {
    var ended = new HashSet<String>();
    for (var decision : plan.decisions())
      if (decision instanceof Decision.Drain drain) ended.add(drain.worker());
    var orders = new ArrayList<Runnable>();
    for (var stored : workers) {
      var name = stored.value().name();
      if (!(stored.value().state() instanceof WorkerState.Launching) || ended.contains(name))
        continue;
      sight.changes(name);
      orders.add(() -> troubles.guard("worker " + name, () -> care.orderAgain(cluster, stored)));
    }
    CloudCalls.run(ports.alarms(), orders);
  }
}
