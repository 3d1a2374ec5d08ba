package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.plan.Decision;
import dev.mayfly.core.plan.Demand;
import dev.mayfly.core.plan.Plan;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.View;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** One pass over a cluster: observe, do what is owed, plan, commit, act. */
final class Round {
  static final int WORKERS = 10_000;
  private static final int PLANS = 4;

  private final Ports ports;
  private final Lives lives;
  private final Refusals refusals;
  private final Launches launches;
  private final MachineOrders orders;
  private final WorkerRound workerRound;
  private final JobCare jobs;
  private final BeatCare beats;
  private final PulseCare pulses;
  private final Yields yields;
  private final Gatherer gatherer;
  private final Map<String, ClusterSight> sights = new ConcurrentHashMap<>();

  Round(Ports ports, Rules rules, String workersUrl) {
    this.ports = ports;
    lives = new Lives(ports, rules);
    refusals = new Refusals(ports, lives);
    launches = new Launches(ports, rules, workersUrl, lives, refusals);
    orders = new MachineOrders(ports.alarms(), launches);
    var care = new WorkerCare(ports, rules, lives, launches, refusals);
    workerRound = new WorkerRound(ports, rules, lives, care);
    jobs = new JobCare(ports);
    beats = new BeatCare(ports, rules);
    pulses = new PulseCare(ports);
    yields = new Yields(ports, rules);
    gatherer = new Gatherer(ports.ledger(), ports.clock());
  }

  /**
   * True if another process changed the cluster before this look launched all that it wanted. That
   * process may lack this look's information, so the look must run again.
   */
  boolean run(String uid, LookRequest asked, Troubles troubles) {
    var read = ports.ledger().read(new Key.OfCluster(uid));
    if (read.isEmpty() || read.get().value().phase() == Cluster.Phase.GONE) {
      sights.remove(uid);
      return false;
    }
    var sight = sights.computeIfAbsent(uid, _ -> new ClusterSight(ports.ledger(), ports.clock()));
    sight.read(read.get(), asked, troubles);
    return run(read.get(), sight, asked, troubles);
  }

  private boolean run(
      Stored<Cluster> cluster, ClusterSight sight, LookRequest asked, Troubles troubles) {
    var tick = asked.tick();
    var uid = cluster.value().uid();
    var live = jobs.look(cluster.value(), sight, tick, troubles);
    workerRound.look(cluster.value(), sight, tick, troubles);
    if (tick) troubles.guard("beats", () -> beats.look(uid, sight.workers(), troubles));
    if (tick) troubles.guard("pulse", () -> pulses.look(uid));
    if (cluster.value().phase() == Cluster.Phase.GOING
        && live.live() == 0
        && sight.workers().isEmpty()
        && sight.unreadable().isEmpty()) {
      troubles.guard("turns", () -> jobs.keep(live, List.of(), List.of()));
      close(cluster);
      return false;
    }
    var unknown = WorkerNames.pools(cluster.value(), sight.unreadable());
    if (sight.isWhole() && forgotten(cluster, sight.workers(), unknown)) return false;
    var budget = Budget.of(ports, cluster.value().spec());
    var plan = plan(cluster.value(), sight, live.demands(), budget, troubles);
    if (plan.isEmpty()) return false;
    if (sight.isWhole() || drains(plan.get()).isEmpty())
      return carryOut(cluster, sight, live, plan.get(), budget, troubles);
    if (asked.jobs().isEmpty())
      return carryOut(cluster, sight, live, withoutDrains(plan.get()), budget, troubles);
    sight.read(cluster, LookRequest.WHOLE, troubles);
    return run(cluster, sight, LookRequest.WHOLE, troubles);
  }

  private static List<Decision.Drain> drains(Plan plan) {
    return plan.decisions().stream()
        .filter(Decision.Drain.class::isInstance)
        .map(Decision.Drain.class::cast)
        .toList();
  }

  /**
   * What nobody needs is known by all that is there: by what a process remembers, a machine that
   * another one has just launched may seem one too many. The tick ends it.
   */
  private static Plan withoutDrains(Plan plan) {
    var rest = new ArrayList<>(plan.decisions());
    rest.removeAll(drains(plan));
    return new Plan(rest, plan.keeps(), plan.gaveUp(), plan.whys());
  }

  private boolean carryOut(
      Stored<Cluster> cluster,
      ClusterSight sight,
      JobCare.Jobs live,
      Plan plan,
      Budget budget,
      Troubles troubles) {
    var workers = sight.workers();
    act(cluster.value(), sight, plan, troubles);
    var intents = new ArrayList<Launches.Intent>();
    var overtaken = new AtomicBoolean();
    troubles.guard(
        "launch",
        () -> overtaken.set(!launches.commit(cluster, launches(plan), budget, sight, intents)));
    var keeps = Keeps.named(plan.keeps(), intents);
    var known = workers.stream().map(Stored::value).toList();
    troubles.guard("turns", () -> jobs.keep(live, known, keeps));
    orders.order(cluster.value(), intents, troubles);
    workerRound.orderAgain(cluster.value(), workers, sight, plan, troubles);
    return overtaken.get();
  }

  private static List<Worker> known(ClusterSight sight) {
    return sight.workers().stream().map(Stored::value).toList();
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

  /**
   * The plan is made again once the workers that it is about were read: what was known of them may
   * be old. Empty if what is there changes faster than it can be read; the tick reads it at once.
   */
  private Optional<Plan> plan(
      Cluster cluster, ClusterSight sight, List<Demand> demands, Budget budget, Troubles troubles) {
    var wanted = !demands.isEmpty() || cluster.spec().pools().stream().anyMatch(p -> p.min() > 0);
    List<Stockout> stockouts = wanted ? stockouts(troubles) : List.of();
    for (var tries = 0; tries < PLANS; tries++) {
      var unknown = WorkerNames.pools(cluster, sight.unreadable());
      var now = ports.clock().instant();
      var left = budget.left();
      var view = new View(now, cluster, known(sight), demands, stockouts, left, unknown);
      var plan = Planner.make(view);
      var touched = changed(sight.isWhole() ? plan : withoutDrains(plan));
      if (!sight.readFirst(cluster.uid(), touched, troubles)) return Optional.of(plan);
    }
    return Optional.empty();
  }

  /** The workers that are there and that a plan changes. */
  private static List<String> changed(Plan plan) {
    var changed = new ArrayList<String>();
    for (var decision : plan.decisions())
      switch (decision) {
        case Decision.Drain d -> changed.add(d.worker());
        case Decision.Yield y -> changed.add(y.worker());
        case Decision.Gather g -> changed.addAll(g.workers());
        case Decision.Launch _, Decision.Wait _, Decision.Impossible _ -> {}
      }
    return changed;
  }

  /** One that cannot be read is written anew by the next refusal there. */
  private List<Stockout> stockouts(Troubles troubles) {
    return ports.ledger().query(new Query.Stockouts()).readable(troubles::unreadable).stream()
        .map(Stored::value)
        .toList();
  }

  private void act(Cluster cluster, ClusterSight sight, Plan plan, Troubles troubles) {
    var byName = new HashMap<String, Stored<Worker>>();
    for (var stored : sight.workers()) byName.put(stored.value().name(), stored);
    changed(plan).forEach(sight::changes);
    for (var gaveUp : plan.gaveUp())
      troubles.guard("zone " + gaveUp.zone(), () -> refusals.lacksGang(cluster, gaveUp));
    workerRound.drain(cluster, drains(plan), byName, troubles);
    for (var decision : plan.decisions())
      switch (decision) {
        case Decision.Yield y ->
            troubles.guard("lease " + y.lease().attempt(), () -> yields.take(cluster.uid(), y));
        case Decision.Gather g ->
            troubles.guard("gang of " + g.job(), () -> gatherer.gather(cluster.uid(), g, byName));
        // Handled elsewhere: drains and launches by this round, the other two by explain.
        case Decision.Drain _, Decision.Launch _, Decision.Wait _, Decision.Impossible _ -> {}
      }
  }

  private static List<Decision.Launch> launches(Plan plan) {
    var wanted = new ArrayList<Decision.Launch>();
    for (var decision : plan.decisions())
      if (decision instanceof Decision.Launch launch) wanted.add(launch);
    return wanted;
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
