package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of every plan of a random snapshot; a failure names the snapshot's seed. */
class PlannerPropertiesTest {
  private static final int VIEWS = 400;
  private static final List<String> ZONES = List.of("us-a", "us-b", "eu-c");

  private final List<PoolSpec> pools = new ArrayList<>();
  private Random dice = new Random();

  private ClusterSnapshot view(long seed) {
    dice = new Random(seed);
    pools.clear();
    for (var i = 0; i <= dice.nextInt(3); i++)
      pools.add(
          pool("p" + i)
              .cpus(4 << dice.nextInt(3))
              .gpus(dice.nextInt(3))
              .zones(ZONES.subList(0, 1 + dice.nextInt(3)).toArray(String[]::new))
              .min(dice.nextInt(3))
              .max(2 + dice.nextInt(8))
              .build());
    var view = PlanFixtures.view(pools.toArray(PoolSpec[]::new));
    for (var i = 0; i < dice.nextInt(16); i++) worker(view);
    for (var i = 0; i < 1 + dice.nextInt(8); i++) view.job(job(i));
    if (dice.nextBoolean())
      view.stockout(
          SpecFixtures.stockout("us-a", "n2-standard-4", Duration.ofMinutes(dice.nextInt(9))));
    return view.build();
  }

  private void worker(PlanFixtures.Of view) {
    var pool = pools.get(dice.nextInt(pools.size()));
    var zone = pool.zones().get(dice.nextInt(pool.zones().size()));
    var held = new ArrayList<Worker.Held>();
    WorkerState state = PlanFixtures.launching();
    if (dice.nextInt(4) > 0) {
      var idle = Optional.of(ago(Duration.ofMinutes(dice.nextInt(15))));
      for (var i = 0; i < dice.nextInt(3); i++) held.add(held(i));
      state =
          new WorkerState.Ready(ago(Duration.ofHours(1)), held.isEmpty() ? idle : Optional.empty());
    }
    view.worker(
        pool,
        zone,
        state,
        ago(Duration.ofMinutes(dice.nextInt(90))),
        held.toArray(Worker.Held[]::new));
    if (dice.nextInt(8) == 0)
      view.with(w -> w.withProblem(Optional.of(MachineProblem.Kind.UNFIT.of("driver: none"))));
  }

  private Worker.Held held(int number) {
    var tasks = LongStream.range(0, dice.nextInt(3)).boxed().toList();
    var job = "uid-j" + dice.nextInt(8);
    return new Worker.Held(
        job, number, 1, need(), NOW, tasks, dice.nextInt(6) == 0, 1, List.of(), List.of());
  }

  private Resources need() {
    var gpus = dice.nextInt(3) == 0 ? List.of(250, 400, 600, 1_000).get(dice.nextInt(4)) : 0;
    return new Resources(500L << dice.nextInt(4), GIB, gpus, 0);
  }

  private JobDemand job(int number) {
    var standing =
        new JobDemand.Standing(
            List.of("ada", "bob").get(dice.nextInt(2)), 90 - 10 * number, dice.nextInt(6) == 0, 0);
    var kept = new ArrayList<String>();
    if (dice.nextInt(3) == 0) kept.add("p0-" + dice.nextInt(9));
    return SpecFixtures.demand(
            "uid-j" + number, "j" + number, need(), dice.nextInt(20), dice.nextInt(4), standing)
        .together(dice.nextInt(3) == 0 ? 2 + dice.nextInt(4) : 1)
        .waiting(new JobDemand.Waiting(ago(Duration.ofHours(1)), kept, Optional.empty()));
  }

  private static <T extends PlanDecision> List<T> of(Plan plan, Class<T> type) {
    return plan.decisions().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static Worker named(ClusterSnapshot clusterSnapshot, String name) {
    return clusterSnapshot.workers().stream()
        .filter(w -> w.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 10_001, 20_001, 30_001})
  void everyPlanKeepsItsPromises(long first) {
    for (var seed = first; seed < first + VIEWS; seed++) {
      var clusterSnapshot = view(seed);
      var plan = Planner.planWithReasons(clusterSnapshot);

      assertThat(Planner.planWithReasons(clusterSnapshot)).as("seed %d", seed).isEqualTo(plan);
      limits(clusterSnapshot, plan, seed);
      gangs(clusterSnapshot, plan, seed);
      nothingTwice(clusterSnapshot, plan, seed);
    }
  }

  private static void limits(ClusterSnapshot clusterSnapshot, Plan plan, long seed) {
    var gone =
        of(plan, PlanDecision.Drain.class).stream()
            .map(PlanDecision.Drain::worker)
            .collect(Collectors.toSet());
    for (var pool : clusterSnapshot.cluster().spec().pools()) {
      var live =
          clusterSnapshot.workers().stream()
              .filter(w -> w.pool().equals(pool.name()) && w.state().live())
              .toList();
      var launched =
          of(plan, PlanDecision.Launch.class).stream()
              .filter(l -> l.pool().equals(pool.name()))
              .mapToInt(PlanDecision.Launch::count)
              .sum();
      assertThat(launched == 0 ? 0 : live.size() + launched)
          .as("seed %d: max of %s", seed, pool.name())
          .isLessThanOrEqualTo(Math.max(pool.max(), live.size()));
      var fit = live.stream().filter(w -> !ClusterInventory.isUnfit(clusterSnapshot, w)).toList();
      var kept = fit.stream().filter(w -> !gone.contains(w.name())).count();
      // An unfit machine with running tasks counts towards the maximum until they end.
      var ends = live.stream().filter(w -> !fit.contains(w) && !gone.contains(w.name())).count();
      assertThat(kept + launched)
          .as("seed %d: min of %s", seed, pool.name())
          .isGreaterThanOrEqualTo(
              Math.min(Math.min(pool.min(), fit.size()), Math.max(0, pool.max() - ends)));
    }
  }

  private static void gangs(ClusterSnapshot clusterSnapshot, Plan plan, long seed) {
    for (var formGang : of(plan, PlanDecision.FormGang.class)) {
      var workers = formGang.workers().stream().map(n -> named(clusterSnapshot, n)).toList();
      var job =
          clusterSnapshot.jobs().stream()
              .filter(j -> j.job().equals(formGang.job()))
              .findFirst()
              .orElseThrow();
      assertThat(workers).as("seed %d", seed).hasSize(job.gang());
      assertThat(workers.stream().map(w -> w.pool() + " " + w.zone()).distinct())
          .as("seed %d", seed)
          .hasSize(1);
      assertThat(workers)
          .as("seed %d", seed)
          .allMatch(w -> w.held().isEmpty() && DrainPlanner.isReady(w) && w.unfit().isEmpty());
    }
  }

  private static void nothingTwice(ClusterSnapshot clusterSnapshot, Plan plan, long seed) {
    var used = new HashSet<String>();
    var all = new ArrayList<String>();
    of(plan, PlanDecision.FormGang.class).forEach(g -> all.addAll(g.workers()));
    of(plan, PlanDecision.Drain.class).forEach(d -> all.add(d.worker()));
    plan.keeps().forEach(k -> all.addAll(k.workers()));
    for (var name : all) assertThat(used.add(name)).as("seed %d: %s", seed, name).isTrue();
    var leases = new HashMap<String, Integer>();
    for (var y : of(plan, PlanDecision.PreemptLease.class)) {
      assertThat(leases.merge(y.worker() + y.lease(), 1, Integer::sum)).isOne();
      assertThat(named(clusterSnapshot, y.worker()).held())
          .as("seed %d", seed)
          .anyMatch(h -> h.ref().equals(y.lease()) && !h.gang());
    }
  }
}
