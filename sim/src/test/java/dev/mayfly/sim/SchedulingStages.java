package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import dev.mayfly.core.control.Explanation;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.control.Views;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Worker;
import dev.mayfly.sim.check.Proc;
import java.util.List;

/** Clusters of few machines, and what is seen of their jobs. */
final class SchedulingStages {
  private SchedulingStages() {}

  static PoolSpec pool(String name, int min, int max, Resources has, String... zones) {
    return new PoolSpec(
        name,
        "n2-standard-16",
        has,
        List.of(zones),
        Provisioning.SPOT,
        min,
        max,
        ofMinutes(10),
        ofHours(48));
  }

  static Resources cpus(int n) {
    return Resources.cpu(n, 64 * Stage.GIB);
  }

  static Resources gpus(int n) {
    return new Resources(16_000, 64 * Stage.GIB, n * 1_000L, 0);
  }

  static Stage stage(long seed, PoolSpec pool, SimJob... jobs) {
    return stage(seed, List.of(pool), jobs);
  }

  static Stage stage(long seed, List<PoolSpec> pools, SimJob... jobs) {
    var planned = List.of(jobs).stream().map(SimJob::plan).toArray(PlannedJob[]::new);
    return Stage.of(CorePlane::new, seed, pools, planned);
  }

  static List<Proc> running(Stage stage, int job) {
    var uid =
        stage.world.truth().all(Job.class).stream()
            .filter(j -> j.spec().name().equals("job-" + job))
            .map(Job::uid)
            .findFirst();
    return stage.running().stream()
        .filter(p -> uid.filter(p.attempt().lease().job()::equals).isPresent())
        .toList();
  }

  static boolean ended(Stage stage, int job) {
    return stage.world.truth().all(Job.class).stream()
        .anyMatch(j -> j.spec().name().equals("job-" + job) && j.state().ended());
  }

  static List<String> zones(Stage stage, List<Proc> processes) {
    return processes.stream().map(p -> worker(stage, p.worker()).zone()).distinct().toList();
  }

  static Worker worker(Stage stage, String name) {
    return stage.workers().stream().filter(w -> w.name().equals(name)).findFirst().orElseThrow();
  }

  static List<Explanation.Reason> reasons(Stage stage, int job) {
    var world = stage.world;
    return new Views(world.ledger(), world.time(), world.codec(), Rules.DEFAULT)
        .explain("lab", "job-" + job)
        .reasons();
  }

  static int everLaunched(Stage stage) {
    return stage.world.fleet().ever().size();
  }
}
