package dev.mayfly.core.plan.properties;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.pool;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

/** Clusters of some pools, machines and jobs as chance has them. */
final class RandomSnapshots {
  private static final List<String> ZONES = List.of("us-a", "us-b", "eu-c");

  private final List<PoolSpec> pools = new ArrayList<>();
  private Random dice = new Random();

  /** Equal seeds give equal snapshots. */
  ClusterSnapshot view(long seed) {
    dice = new Random(seed);
    pools.clear();
    for (var i = 0; i <= dice.nextInt(3); i++) {
      var pool =
          pool("p" + i)
              .cpus(4 << dice.nextInt(3))
              .gpus(dice.nextInt(3))
              .zones(ZONES.subList(0, 1 + dice.nextInt(3)).toArray(String[]::new))
              .min(dice.nextInt(3))
              .max(2 + dice.nextInt(8))
              .build();
      // One of eight seeds has pools that choose between two types.
      if (seed % 8 == 5) pools.addAll(choices(pool));
      else pools.add(pool);
    }
    var view = PlanFixtures.view(pools.toArray(PoolSpec[]::new));
    for (var i = 0; i < dice.nextInt(16); i++) worker(view);
    for (var i = 0; i < 1 + dice.nextInt(8); i++) view.job(job(i));
    if (dice.nextBoolean())
      view.stockout(
          SpecFixtures.stockout("us-a", "n2-standard-4", Duration.ofMinutes(dice.nextInt(9))));
    return view.build();
  }

  private static List<PoolSpec> choices(PoolSpec pool) {
    var zones = pool.zones().toArray(String[]::new);
    var first =
        pool(PoolSpec.choice(pool.name(), "n2-standard-4"))
            .cpus(4)
            .zones(zones)
            .min(pool.min())
            .max(pool.max())
            .build();
    var other =
        pool(PoolSpec.choice(pool.name(), "n2-standard-8"))
            .cpus(8)
            .zones(zones)
            .max(pool.max())
            .build();
    return List.of(first, other);
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
}
