package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Draws a bounded scenario from a seed, each a different mix of sizes and faults. */
public final class ScenarioGenerator {
  static final String BUCKET = "gs://lab-bucket";
  private static final long GIB = 1L << 30;

  /** More machines than any world needs: a zone without an entry has as many as are ordered. */
  private static final int UNLIMITED = 100;

  private ScenarioGenerator() {}

  public static Scenario of(long seed) {
    var simRandom = new SimRandom(seed).of("scenario");
    var storm = simRandom.seconds(180, 2_400);
    var zones = List.of("z-a", "z-b", "z-c").subList(0, simRandom.between(1, 3));
    var jobs = new ArrayList<PlannedJob>();
    var count = simRandom.between(1, 3);
    for (var i = 0; i < count; i++) jobs.add(job(i, simRandom, storm));
    var slices = new SimRandom(seed).of("slices");
    var sliced = slices.chance(0.3);
    if (sliced) jobs.add(onSlices(count, slices, storm));
    var faults = faults(simRandom);
    var instances = simRandom.between(1, 3);
    var gangs = new SimRandom(seed).of("gangs");
    var cluster = cluster(simRandom, zones, sliced);
    var stock = stock(simRandom, zones);
    if (gangs.chance(0.2))
      gang(count + 1, cluster, largest(stock, zones), gangs, storm).ifPresent(jobs::add);
    var beside = new SimRandom(seed).of("neighbour");
    var neighbour =
        beside.chance(0.25)
            ? Optional.of(SecondCluster.cluster(beside))
            : Optional.<ClusterSpec>empty();
    if (neighbour.isPresent()) jobs.add(SecondCluster.job(count + 2, beside, storm));
    var rolling = rolling(cluster, new SimRandom(seed).of("rollout"));
    var whims = OperatorActions.of(simRandom.of("whims"), storm);
    var preemption = new PreemptionExtras(seed);
    var scenarioExtras =
        new ScenarioExtras(seed, preemption.cluster(rolling), count + 3, storm, whims);
    jobs.addAll(scenarioExtras.jobs());
    jobs.addAll(preemption.jobs(count + 3 + scenarioExtras.jobs().size(), storm));
    return new Scenario(
        seed,
        faults,
        instances,
        scenarioExtras.cluster(),
        neighbour,
        stock,
        SharedSentinelJobs.of(
            LinkedJobs.of(jobs, new SimRandom(seed).of("after")), new SimRandom(seed).of("shared")),
        scenarioExtras.addTo(whims),
        storm);
  }

  /** Each seed has a subset of the faults: all at once would hide the effect of one. */
  private static Set<Fault> faults(SimRandom simRandom) {
    var share = simRandom.pick(List.of(0.0, 0.1, 0.25, 0.5, 0.8));
    var drawn = EnumSet.noneOf(Fault.class);
    // Later additions have their own randomness, so that the rest of the world stays the same.
    var log = EnumSet.range(Fault.MACHINE_EVENTS, Fault.EVENT_OF_ANOTHER);
    var newest = EnumSet.range(Fault.INSTANCE_STALLED, Fault.CLOCK_BACK_AND_RESTART);
    var logs = simRandom.of("log");
    var newer = simRandom.of("newer");
    var human = EnumSet.range(Fault.DOCUMENT_UNREADABLE, Fault.OBJECTS_DENIED);
    var humans = simRandom.of("human");
    var later = EnumSet.range(Fault.UNREADABLE_FOR_LONG, Fault.values()[Fault.values().length - 1]);
    var latest = simRandom.of("latest");
    for (var fault : Fault.values()) {
      var own =
          log.contains(fault)
              ? logs
              : newest.contains(fault)
                  ? newer
                  : human.contains(fault) ? humans : later.contains(fault) ? latest : simRandom;
      if (own.chance(share)) drawn.add(fault);
    }
    return drawn;
  }

  /** A few tasks, each for all hosts of a slice at once. */
  private static PlannedJob onSlices(int number, SimRandom simRandom, Duration storm) {
    return together(number, "slice", 0, simRandom, storm);
  }

  /**
   * A few tasks, each for two or three machines at once; empty if the cluster may have only one
   * machine, or no zone has more.
   *
   * @param stock the most machines that one zone has
   */
  private static Optional<PlannedJob> gang(
      int number, ClusterSpec cluster, int stock, SimRandom simRandom, Duration storm) {
    var most = Math.min(stock, Math.min(3, cluster.pools().getFirst().max()));
    return most < 2
        ? Optional.empty()
        : Optional.of(together(number, "small", simRandom.between(2, most), simRandom, storm));
  }

  private static PlannedJob together(
      int number, String pool, int gang, SimRandom simRandom, Duration storm) {
    var job = job(number, simRandom, storm);
    var spec = job.spec();
    var count = new TaskSource.Count(simRandom.between(1, 4));
    var template = Optional.of(BUCKET + "/out-" + number + "/{index}.out");
    var output = new JobSpec.Data(template, false, spec.data().outputs(), false, Optional.empty());
    var own =
        new JobSpec(
            spec.name(),
            spec.cluster(),
            spec.owner(),
            count,
            output,
            simRandom.chance(0.4) ? lingering(spec.run(), simRandom) : spec.run(),
            spec.resources(),
            spec.retries(),
            spec.priority(),
            Placement.inPools(List.of(pool)),
            spec.exclusive(),
            gang,
            spec.anyRegion(),
            spec.settle(),
            spec.admissionRules());
    return new PlannedJob(number, own, job.at(), job.stopAt(), job.again(), 0, 0, job.tasks());
  }

  /** Rank 0 ends a while after the others, within the job's timeout. */
  private static JobSpec.Run lingering(JobSpec.Run run, SimRandom simRandom) {
    var command = List.of("work", Duration.ofSeconds(simRandom.between(30, 150)).toString());
    return RunBuilder.like(run).command(command).build();
  }

  private static ClusterSpec cluster(SimRandom simRandom, List<String> zones, boolean sliced) {
    var max = simRandom.pick(List.of(1, 2, 3, 5, 8, 12));
    var pools = new ArrayList<PoolSpec>();
    var small = pool("small", "n2-standard-4", Resources.cpu(4, 16 * GIB), zones, max, simRandom);
    // No randomness of its own, so that existing seeds stay the same.
    pools.addAll(max == 8 ? ScenarioExtras.choices(small, "n1-standard-4") : List.of(small));
    if (simRandom.chance(0.3))
      pools.add(pool("large", "n2-standard-16", Resources.cpu(16, 64 * GIB), zones, 2, simRandom));
    if (sliced)
      pools.add(pool("slice", "v4-16", Resources.cpu(4, 16 * GIB), zones, 2, new SimRandom(max)));
    var spec =
        ClusterBuilder.named("lab")
            .bucket(BUCKET)
            .env(Map.of("LANG", "C"))
            .pools(pools)
            .owner("ada")
            .build();
    // Separate randomness, so that existing seeds stay the same.
    return max % 4 == 1 ? spec.withBudget(budget(max)) : spec;
  }

  /** Enough for one machine of each pool and little more. */
  private static HourlyBudget budget(int max) {
    return new HourlyBudget(
        20 + max, Map.of("n2-standard-4", 4.0, "n2-standard-16", 8.0, "v4-16", 8.0));
  }

  /** With times that end before the storm does. */
  private static ClusterSpec rolling(ClusterSpec s, SimRandom simRandom) {
    var rolloutSpec =
        new RolloutSpec(
            Duration.ofMinutes(simRandom.between(1, 15)), simRandom.pick(List.of(10, 25, 50, 100)));
    var next =
        new ClusterSpec(
            s.name(),
            s.bucket(),
            s.env(),
            s.pools(),
            s.owner(),
            s.secrets(),
            s.image(),
            s.registries(),
            s.mounts(),
            rolloutSpec,
            TaskRights.NONE,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.empty());
    return s.budget().map(next::withBudget).orElse(next);
  }

  static PoolSpec pool(
      String name,
      String type,
      Resources visible,
      List<String> zones,
      int max,
      SimRandom simRandom) {
    return new PoolSpec(
        name,
        type,
        visible,
        zones,
        Provisioning.SPOT,
        0,
        max,
        Duration.ofMinutes(simRandom.between(1, 5)),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  /** The most machines that one zone has: a gang is in one zone. */
  private static int largest(Map<String, Integer> stock, List<String> zones) {
    return zones.stream().mapToInt(z -> stock.getOrDefault(z, UNLIMITED)).max().orElse(0);
  }

  private static Map<String, Integer> stock(SimRandom simRandom, List<String> zones) {
    var stock = new TreeMap<String, Integer>();
    for (var zone : zones) if (simRandom.chance(0.3)) stock.put(zone, simRandom.between(1, 6));
    return stock;
  }

  private static PlannedJob job(int number, SimRandom simRandom, Duration storm) {
    var source = source(number, simRandom);
    var at = part(storm, simRandom, 50);
    Optional<Duration> stop =
        simRandom.chance(0.3) ? Optional.of(stop(at, storm, simRandom)) : Optional.empty();
    Optional<Duration> again =
        simRandom.chance(0.3) ? Optional.of(part(storm, simRandom, 95)) : Optional.empty();
    var inputs = source instanceof TaskSource.Inputs ? simRandom.between(1, 80) : 0;
    var n = source instanceof TaskSource.Count c ? (int) c.count() : inputs;
    var sealed = simRandom.chance(0.2) ? simRandom.between(0, n) : 0;
    var pace =
        simRandom.pick(List.of(List.of(50, 900), List.of(3_000, 20_000), List.of(30_000, 120_000)));
    return new PlannedJob(
        number,
        spec(number, source, simRandom),
        at,
        stop,
        again,
        inputs,
        sealed,
        TaskModel.between(Duration.ofMillis(pace.get(0)), Duration.ofMillis(pace.get(1))));
  }

  /** Sometimes before the submission, sometimes soon after the first tasks start. */
  private static Duration stop(Duration submitted, Duration storm, SimRandom simRandom) {
    return simRandom.chance(0.3)
        ? part(storm, simRandom, 90)
        : submitted.plus(simRandom.seconds(1, 240));
  }

  private static Duration part(Duration of, SimRandom simRandom, int percent) {
    return of.multipliedBy(simRandom.between(0, percent)).dividedBy(100);
  }

  private static TaskSource source(int number, SimRandom simRandom) {
    var kind = simRandom.between(1, 10);
    if (kind <= 6) return new TaskSource.Count(simRandom.pick(List.of(1, 3, 10, 40, 100, 300)));
    if (kind <= 9) return new TaskSource.Inputs(BUCKET + "/in-" + number + "/*.txt");
    return new TaskSource.Items(
        List.of(Map.of("item", "a"), Map.of("item", "b"), Map.of("item", "c")));
  }

  static JobSpec spec(int number, TaskSource source, SimRandom simRandom) {
    var name = source instanceof TaskSource.Inputs ? "{stem}" : "{index}";
    return JobBuilder.named("job-" + number / 2)
        .owner(number % 2 == 0 ? "ada" : "bob")
        .tasks(source)
        .data(
            new JobSpec.Data(
                Optional.of(BUCKET + "/out-" + number + "/" + name + ".out"),
                false,
                simRandom.chance(0.2) ? OutputMode.WRITTEN : OutputMode.UPLOADED,
                false,
                Optional.empty()))
        .run(
            RunBuilder.of("work", "{index}")
                .timeout(Duration.ofMinutes(simRandom.between(5, 20)))
                .grace(Duration.ofSeconds(simRandom.between(1, 10))))
        .resources(Resources.cpu(simRandom.pick(List.of(0.5, 1.0, 2.0, 4.0)), GIB))
        .retries(JobBuilder.retries(simRandom.between(1, 3)))
        .priority(simRandom.pick(List.of(10, 50, 50, 90)))
        .exclusive(simRandom.chance(0.2))
        .build();
  }

  static long tasks(PlannedJob job) {
    return switch (job.spec().tasks()) {
      case TaskSource.Count c -> c.count();
      case TaskSource.Listed _, TaskSource.ItemsFile _ -> job.inputs();
      case TaskSource.Gather _ -> 1;
      case TaskSource.Items i -> i.items().size();
      case TaskSource.Open o -> o.items().size();
    };
  }
}
