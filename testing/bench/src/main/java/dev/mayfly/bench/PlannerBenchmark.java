package dev.mayfly.bench;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.sim.spec.ClusterBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The time of a pure plan, from values to decisions, without I/O. */
final class PlannerBenchmark {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long GIB = 1L << 30;
  private static final int WARM = 4;
  private static final int RUNS = 11;

  private PlannerBenchmark() {}

  static List<String> lines() {
    return List.of(
        line(1_024, 1_000),
        line(1_024, 10_000),
        line(4_096, 1_000),
        "  each worker holds another mixture of tasks, and each job asks for another size");
  }

  private static String line(int workers, int jobs) {
    var clusterSnapshot = view(workers, jobs);
    var took = new ArrayList<Double>();
    var first = 0.0;
    for (var run = 0; run < WARM + RUNS; run++) {
      var from = System.nanoTime();
      var planDecisions = Planner.plan(clusterSnapshot);
      var millis = (System.nanoTime() - from) / 1e6;
      if (planDecisions.isEmpty()) throw new IllegalStateException("there is nothing to decide");
      if (run == 0) first = millis;
      if (run >= WARM) took.add(millis);
    }
    took.sort(null);
    return String.format(
        Locale.ROOT,
        "plan of %,d workers and %,d jobs: median %.1f ms of %d, from %.1f to %.1f; the first %.0f",
        workers,
        jobs,
        took.get(RUNS / 2),
        RUNS,
        took.getFirst(),
        took.getLast(),
        first);
  }

  private static ClusterSnapshot view(int workers, int jobs) {
    var random = new Random(7);
    var total = Resources.cpu(32, 128 * GIB);
    var pool =
        new PoolSpec(
            "a",
            "n2-standard-32",
            total,
            List.of("europe-west4-a", "europe-west4-b"),
            Provisioning.SPOT,
            0,
            workers + 500,
            Duration.ofMinutes(10),
            Duration.ofHours(24),
            MachineSpec.PLAIN);
    var spec =
        ClusterBuilder.named("bench").bucket("gs://bench").pools(pool).owner("bench").build();
    var cluster = new Cluster("c-1", spec, Cluster.Phase.UP, 1, 0, NOW, Optional.empty());
    var there = new ArrayList<Worker>();
    for (var i = 0; i < workers; i++) there.add(worker(i, total, random, jobs));
    var asked = new ArrayList<JobDemand>();
    for (var i = 0; i < jobs; i++)
      asked.add(
          new JobDemand(
              "uid-" + i,
              "job-" + i,
              need(random, 8),
              Placement.ANYWHERE,
              900,
              100,
              new JobDemand.Standing("", 50, false, 0),
              JobDemand.Urgency.NONE,
              1,
              JobDemand.Waiting.NEW));
    return new ClusterSnapshot(NOW, cluster, there, asked, List.of());
  }

  private static Resources need(Random random, int most) {
    return Resources.cpu(1 + random.nextInt(most * 1_000) / 1e3, GIB + random.nextInt(1 << 30));
  }

  private static Worker worker(int number, Resources total, Random random, int jobs) {
    var job = "uid-" + random.nextInt(jobs);
    var held =
        new Worker.Held(
            job, 0, 1, need(random, 12), NOW, List.of(1L, 2L), false, 1, List.of(), List.of());
    return new Worker(
        "c-1",
        "a-%04d".formatted(number),
        "a",
        "europe-west4-a",
        "n2-standard-32",
        new WorkerState.Ready(NOW, Optional.empty()),
        1,
        1,
        "",
        Optional.empty(),
        total,
        List.of(held),
        Optional.empty(),
        Optional.empty(),
        1,
        NOW,
        Optional.of(NOW),
        Optional.empty(),
        Provisioning.SPOT,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
