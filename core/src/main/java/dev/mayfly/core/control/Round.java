package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Decision;
import dev.mayfly.core.plan.Demand;
import dev.mayfly.core.plan.Plan;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.View;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.core.worker.WorkerEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** One pass over a cluster: observe, do what is owed, plan, commit, act. */
final class Round {
  static final int WORKERS = 10_000;
  private static final int BOOTING = 50;

  /** Orders of machines that are under way at once. */
  private static final int LANES = 16;

  private final Ports ports;
  private final Rules rules;
  private final Lives lives;
  private final Refusals refusals;
  private final Launches launches;
  private final WorkerCare care;
  private final JobCare jobs;
  private final BeatCare beats;
  private final PulseCare pulses;
  private final Yields yields;
  private final Gatherer gatherer;

  Round(Ports ports, Rules rules, String workersUrl) {
    this.ports = ports;
    this.rules = rules;
    lives = new Lives(ports, rules);
    refusals = new Refusals(ports, lives);
    launches = new Launches(ports, rules, workersUrl, lives, refusals);
    care = new WorkerCare(ports, rules, lives, launches, refusals);
    jobs = new JobCare(ports);
    beats = new BeatCare(ports, rules);
    pulses = new PulseCare(ports);
    yields = new Yields(ports, rules);
    gatherer = new Gatherer(ports.ledger(), ports.clock());
  }

  /**
   * @param tick whether everything is to be looked at again, also what only a lost message could
   *     have missed
   */
  void run(String uid, boolean tick, Troubles troubles) {
    var read = ports.ledger().read(new Key.OfCluster(uid));
    if (read.isEmpty() || read.get().value().phase() == Cluster.Phase.GONE) return;
    var cluster = read.get();
    var live = jobs.look(cluster.value(), tick, troubles);
    var found = ports.ledger().query(new Query.Workers(uid, false, WORKERS));
    var workers = cared(cluster.value(), found.readable(troubles::unreadable), tick, troubles);
    if (tick) troubles.guard("beats", () -> beats.look(uid, workers, troubles));
    if (tick) troubles.guard("pulse", () -> pulses.look(uid));
    var unknown = WorkerNames.pools(cluster.value(), found.unreadable());
    if (cluster.value().phase() == Cluster.Phase.GOING
        && live.live() == 0
        && workers.isEmpty()
        && found.unreadable().isEmpty()) {
      troubles.guard("turns", () -> jobs.keep(live, List.of(), List.of()));
      close(cluster);
      return;
    }
    if (forgotten(cluster, workers, unknown)) return;
    var known = workers.stream().map(Stored::value).toList();
    var budget = Budget.of(ports, cluster.value().spec());
    var plan = plan(cluster.value(), known, unknown, live.demands(), budget, troubles);
    act(cluster.value(), workers, plan, troubles);
    var intents = new ArrayList<Launches.Intent>();
    troubles.guard("launch", () -> intents.addAll(launch(cluster, plan, budget)));
    var keeps = Keeps.named(plan.keeps(), intents);
    troubles.guard("turns", () -> jobs.keep(live, known, keeps));
    order(cluster.value(), intents, troubles);
    orderAgain(cluster.value(), workers, plan, troubles);
  }

  /** Whether slices by hand that were deleted and are gone were taken out; then a look goes on. */
  private boolean forgotten(
      Stored<Cluster> stored, List<Stored<Worker>> workers, Map<String, Integer> unknown) {
    var cluster = stored.value();
    var left =
        cluster.spec().pools().stream()
            .filter(pool ->
                !pool.manual()
                    || pool.max() > 0
                    || unknown.containsKey(pool.name())
                    || workers.stream().anyMatch(w -> w.value().pool().equals(pool.name())))
            .toList();
    if (left.size() == cluster.spec().pools().size()) return false;
    var next =
        new Drift(ports.codec()).changed(cluster, cluster.spec().with(left), cluster.versions());
    var forgotten = ports.ledger().commit(List.of(new Write.Update(next, stored.version())));
    if (forgotten.done()) Hints.send(ports.bus(), new Hint.Look(cluster.uid()));
    return forgotten.done();
  }

  private List<Stored<Worker>> cared(
      Cluster cluster, List<Stored<Worker>> found, boolean tick, Troubles troubles) {
    var workers = new ArrayList<Stored<Worker>>();
    var booting = 0;
    for (var stored : found) {
      // A look is often and must be cheap; the tick asks about every machine that boots.
      var boots = stored.value().state() instanceof WorkerState.Booting;
      if (boots && !tick && ++booting > BOOTING) workers.add(stored);
      else cared(cluster, stored, troubles).ifPresent(workers::add);
    }
    return workers;
  }

  /** One that fails, or that somebody else changed, is still there and still counts. */
  private Optional<Stored<Worker>> cared(
      Cluster cluster, Stored<Worker> stored, Troubles troubles) {
    var seen = new ArrayList<Stored<Worker>>();
    troubles.guard(
        "worker " + stored.value().name(),
        () ->
            care.look(cluster, stored)
                .or(() -> ports.ledger().read(stored.value().key()))
                .ifPresentOrElse(seen::add, () -> seen.add(stored)));
    var now = seen.isEmpty() ? stored : seen.getFirst();
    return now.value().state() instanceof WorkerState.Gone ? Optional.empty() : Optional.of(now);
  }

  private Plan plan(
      Cluster cluster,
      List<Worker> workers,
      Map<String, Integer> unknown,
      List<Demand> demands,
      Budget budget,
      Troubles troubles) {
    var wanted = !demands.isEmpty() || cluster.spec().pools().stream().anyMatch(p -> p.min() > 0);
    List<Stockout> stockouts = wanted ? stockouts(troubles) : List.of();
    var now = ports.clock().instant();
    var left = budget.left();
    return Planner.make(new View(now, cluster, workers, demands, stockouts, left, unknown));
  }

  /** One that cannot be read is written anew by the next refusal there. */
  private List<Stockout> stockouts(Troubles troubles) {
    return ports.ledger().query(new Query.Stockouts()).readable(troubles::unreadable).stream()
        .map(Stored::value)
        .toList();
  }

  private void act(Cluster cluster, List<Stored<Worker>> workers, Plan plan, Troubles troubles) {
    var byName = new HashMap<String, Stored<Worker>>();
    for (var stored : workers) byName.put(stored.value().name(), stored);
    for (var gaveUp : plan.gaveUp())
      troubles.guard("zone " + gaveUp.zone(), () -> refusals.lacksGang(cluster, gaveUp));
    for (var decision : plan.decisions())
      switch (decision) {
        case Decision.Drain d ->
            troubles.guard("worker " + d.worker(), () -> drain(cluster, d, byName));
        case Decision.Yield y ->
            troubles.guard("lease " + y.lease().attempt(), () -> yields.take(cluster.uid(), y));
        case Decision.Gather g ->
            troubles.guard("gang of " + g.job(), () -> gatherer.gather(cluster.uid(), g, byName));
        // Whoever asks is told by the same planner; there is nothing to do about it here.
        case Decision.Launch _, Decision.Wait _, Decision.Impossible _ -> {}
      }
  }

  private List<Launches.Intent> launch(Stored<Cluster> cluster, Plan plan, Budget budget) {
    var wanted = new ArrayList<Decision.Launch>();
    for (var decision : plan.decisions())
      if (decision instanceof Decision.Launch launch) wanted.add(launch);
    return launches.commit(cluster, wanted, budget);
  }

  /** Intents that nobody could order so far, and that this plan did not call off. */
  private void orderAgain(
      Cluster cluster, List<Stored<Worker>> workers, Plan plan, Troubles troubles) {
    var ended = new HashSet<String>();
    for (var decision : plan.decisions())
      if (decision instanceof Decision.Drain drain) ended.add(drain.worker());
    for (var stored : workers)
      if (!ended.contains(stored.value().name()))
        troubles.guard("worker " + stored.value().name(), () -> care.orderAgain(cluster, stored));
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

  /**
   * Side by side, the first machine of each kind before the others: a zone that refused one is not
   * asked for the rest of them.
   */
  private void order(Cluster cluster, List<Launches.Intent> intents, Troubles troubles) {
    var refused = new ConcurrentHashMap<String, Fleet.Refusal>();
    var first = new ArrayList<Runnable>();
    var rest = new ArrayList<Runnable>();
    var kinds = new HashSet<String>();
    for (var intent : intents) {
      var worker = intent.worker().value();
      var kind = worker.zone() + "+" + worker.machineType() + "+" + worker.pool();
      Runnable order =
          () ->
              troubles.guard(
                  "worker " + worker.name(), () -> order(cluster, intent, kind, refused));
      (kinds.add(kind) ? first : rest).add(order);
    }
    all(first);
    all(rest);
  }

  private void order(
      Cluster cluster, Launches.Intent intent, String kind, Map<String, Fleet.Refusal> refused) {
    var before = Optional.ofNullable(refused.get(kind));
    if (before.isPresent()) launches.forgo(cluster, intent, before.get());
    else launches.order(cluster, intent).ifPresent(r -> refused.put(kind, r));
  }

  private void all(List<Runnable> orders) {
    for (var from = 0; from < orders.size(); from += LANES)
      ports.alarms().all(orders.subList(from, Math.min(orders.size(), from + LANES)));
  }

  /**
   * A cluster that was taken down is gone when neither the ledger nor the cloud has anything of it.
   */
  private void close(Stored<Cluster> stored) {
    var cluster = stored.value();
    var inventory = ports.fleet().list();
    var left =
        inventory.machines().stream()
            .anyMatch(m -> cluster.uid().equals(m.labels().get(Machine.CLUSTER)));
    if (left || !inventory.complete()) return;
    var now = ports.clock().instant();
    var gone = cluster.gone(now);
    var name = "cluster/" + cluster.spec().name();
    var event = lives.event(cluster.uid(), name, "gone", "nothing of it is left in the cloud");
    ports.ledger().commit(List.of(new Write.Update(gone, stored.version()), new Write.Put(event)));
  }
}
