package dev.mayfly.core.plan.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of every plan of a random snapshot; a failure names the snapshot's seed. */
class PlannerPropertiesTest {
  private static final int VIEWS = 400;

  private final RandomSnapshots snapshots = new RandomSnapshots();

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
      var clusterSnapshot = snapshots.view(seed);
      var plan = Planner.planWithReasons(clusterSnapshot);

      assertThat(Planner.planWithReasons(clusterSnapshot)).as("seed %d", seed).isEqualTo(plan);
      limits(clusterSnapshot, plan, seed);
      gangs(clusterSnapshot, plan, seed);
      nothingTwice(clusterSnapshot, plan, seed);
    }
  }

  private static JobDemand inBand(JobDemand job) {
    var it = job.standing();
    return new JobDemand(
        job.job(),
        job.name(),
        job.need(),
        job.place(),
        job.ready(),
        job.leased(),
        new JobDemand.Standing(it.owner(), 50, it.exclusive(), it.concurrency()),
        job.urgency(),
        job.gang(),
        job.waiting());
  }

  /** Owners who all have two shares have the plans of those who all have one. */
  @Test
  void equalWeightsChangeNoPlan() {
    for (var seed = 1L; seed <= VIEWS; seed++) {
      var view = snapshots.view(seed);
      var one = view.withJobs(view.jobs().stream().map(PlannerPropertiesTest::inBand).toList());
      var weights = new HashMap<String, Double>();
      one.jobs().forEach(job -> weights.put(job.standing().owner(), 2.0));
      var cluster = one.cluster();
      var shares = new FairShareSpec(weights, Optional.empty());
      var spec = cluster.spec().withLimits(cluster.spec().limit().sharing(shares));
      var two =
          new ClusterSnapshot(
                  one.now(),
                  cluster.withSpec(spec, cluster.generation(), cluster.versions()),
                  one.workers(),
                  one.jobs(),
                  one.stockouts(),
                  one.tpuCreations(),
                  one.unknown())
              .withSpentThisMonth(one.spentThisMonth());

      assertThat(Planner.planWithReasons(two).decisions())
          .as("seed %d", seed)
          .isEqualTo(Planner.planWithReasons(one).decisions());
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
      var together = family(clusterSnapshot, plan, pool, seed);
      // Above the maximum of several types, machines go by what they do.
      if (PoolSpec.isChoice(pool.name()) && together > pool.max()) continue;
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

  /** Types among which a pool chooses have one maximum: how many are live of all of them. */
  private static long family(ClusterSnapshot clusterSnapshot, Plan plan, PoolSpec pool, long seed) {
    var live =
        clusterSnapshot.workers().stream()
            .filter(w -> PoolSpec.family(w.pool()).equals(pool.family()) && w.state().live())
            .count();
    var launched =
        of(plan, PlanDecision.Launch.class).stream()
            .filter(l -> PoolSpec.family(l.pool()).equals(pool.family()))
            .mapToInt(PlanDecision.Launch::count)
            .sum();
    assertThat(launched == 0 ? 0 : live + launched)
        .as("seed %d: max of %s", seed, pool.family())
        .isLessThanOrEqualTo(Math.max(pool.max(), live));
    return live;
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
