package dev.mayfly.sim.remedy;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.scenario.OperatorActions;
import dev.mayfly.sim.scenario.OperatorActions.PlannedCommand;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.Scenario;
import dev.mayfly.sim.scenario.ScenarioExtras;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Worlds without faults, in which jobs ask for more than there is. */
final class ScarceWorlds {
  /** No world lasts longer. */
  static final Duration LENGTH = Duration.ofHours(12);

  private static final long GIB = 1L << 30;
  private static final List<Duration> TASKS =
      List.of(Duration.ofSeconds(90), Duration.ofMinutes(6), Duration.ofHours(5));

  private final SimRandom dice;
  private final List<String> zones;

  private ScarceWorlds(SimRandom dice) {
    this.dice = dice;
    zones = List.of("z-a", "z-b").subList(0, dice.between(1, 2));
  }

  static Scenario of(long seed) {
    var worlds = new ScarceWorlds(new SimRandom(seed).of("scarce"));
    var cluster = monthly(worlds.cluster(), new SimRandom(seed).of("month"));
    return new Scenario(
        seed,
        EnumSet.noneOf(Fault.class),
        1,
        cluster,
        worlds.stock(),
        worlds.jobs(cluster),
        worlds.later(cluster),
        LENGTH);
  }

  /** What a scenario does not say: a quota, and what machines of a pool lack. */
  static void prepare(World world) {
    var dice = new SimRandom(world.scenario().seed()).of("scarce extras");
    if (dice.chance(0.15)) world.fleet().quota("z", dice.between(0, 2));
    if (dice.chance(0.15)) world.skies().lacks.put("small", "no driver");
  }

  private ClusterSpec cluster() {
    var pools = new ArrayList<PoolSpec>();
    pools.add(pool("small", "n2-standard-4", Resources.cpu(4, 16 * GIB), dice.between(1, 3)));
    if (dice.chance(0.4))
      pools.add(pool("large", "n2-standard-16", Resources.cpu(16, 64 * GIB), dice.between(1, 2)));
    if (dice.chance(0.3))
      pools.add(pool("slice", "v4-16", Resources.cpu(4, 16 * GIB), dice.between(1, 2)));
    if (dice.chance(0.3)) pools.add(own());
    var plain = ClusterBuilder.named("lab").bucket("gs://lab-bucket").pools(pools).build();
    var limited = dice.chance(0.3) ? plain.withLimits(limits()) : plain;
    return dice.chance(0.4) ? limited.withBudget(budget()) : limited;
  }

  private PoolSpec pool(String name, String type, Resources has, int max) {
    var idle = Duration.ofMinutes(dice.between(1, 10));
    var life = Duration.ofHours(24);
    return new PoolSpec(
        name, type, has, zones, Provisioning.SPOT, 0, max, idle, life, MachineSpec.PLAIN);
  }

  private PoolSpec own() {
    return new PoolSpec(
        ScenarioExtras.OWN_POOL,
        "own",
        Resources.cpu(2, 8 * GIB),
        zones,
        Provisioning.STATIC,
        0,
        1,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private ClusterLimits limits() {
    return new ClusterLimits(
        Optional.of((long) dice.between(1, 4)),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private HourlyBudget budget() {
    var prices = new HashMap<>(Map.of("n2-standard-16", 0.8, "v4-16", 2.0));
    if (dice.chance(0.9)) prices.put("n2-standard-4", 0.2);
    return new HourlyBudget(dice.between(1, 20) / 10.0, prices);
  }

  /** With a limit by the month in some worlds, which are the same without it. */
  private static ClusterSpec monthly(ClusterSpec spec, SimRandom own) {
    if (!own.chance(0.2)) return spec;
    var hourly = spec.hourlyBudget().map(HourlyBudget::usdPerHour);
    var given = spec.budget().map(Budget::prices).orElse(Map.of("n2-standard-4", 0.2));
    return spec.withBudget(new Budget(hourly, given, Optional.of(own.between(1, 30) / 10.0)));
  }

  private Map<String, Integer> stock() {
    var stock = new HashMap<String, Integer>();
    for (var zone : zones) if (dice.chance(0.4)) stock.put(zone, dice.between(0, 2));
    return stock;
  }

  private List<PlannedJob> jobs(ClusterSpec cluster) {
    var jobs = new ArrayList<PlannedJob>();
    var count = dice.between(2, 5);
    for (var i = 0; i < count; i++) jobs.add(job(i, cluster));
    return jobs;
  }

  private PlannedJob job(int number, ClusterSpec cluster) {
    var longest = dice.pick(TASKS);
    var pool = dice.pick(cluster.pools());
    var gang = pool.name().equals("small") && dice.chance(0.25) ? dice.between(2, 3) : 0;
    var most = dice.chance(0.2) ? dice.between(1, 2) : 0;
    var spec =
        new JobSpec(
            "job-" + number,
            "lab",
            dice.pick(List.of(Optional.of("ada"), Optional.of("bob"), Optional.empty())),
            new TaskSource.Count(dice.between(1, gang > 0 ? 3 : 9)),
            JobBuilder.uploads(Optional.of("gs://lab-bucket/out-" + number + "/{index}")),
            RunBuilder.of("work").timeout(Duration.ofHours(6)).build(),
            Resources.cpu(need(pool), GIB),
            JobBuilder.retries(1),
            dice.pick(List.of(10, 50, 50, 50, 90)),
            place(pool),
            false,
            gang,
            false,
            Optional.empty(),
            most == 0
                ? Optional.empty()
                : Optional.of(new AdmissionRules(List.of(), most, Optional.empty())));
    return new PlannedJob(
        number,
        spec,
        Duration.ofSeconds(dice.between(5, 400)),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        longest.dividedBy(2),
        longest);
  }

  private double need(PoolSpec pool) {
    return Math.min(pool.visible().cpuMillis() / 1000.0, dice.pick(List.of(1.0, 2.0, 4.0, 16.0)));
  }

  private Placement place(PoolSpec pool) {
    if (dice.chance(0.05)) return new Placement(List.of(), List.of(), List.of("nobody"));
    return pool.name().equals("small") && dice.chance(0.5)
        ? Placement.ANYWHERE
        : Placement.inPools(List.of(pool.name()));
  }

  /** Sometimes a pool may have fewer workers later, or none. */
  private OperatorActions later(ClusterSpec cluster) {
    if (!dice.chance(0.2)) return OperatorActions.NONE;
    var closed = new ArrayList<>(cluster.pools());
    var pool = closed.getFirst();
    closed.set(
        0, pool(pool.name(), pool.machineType(), pool.visible(), dice.between(0, pool.max())));
    var at = Duration.ofMinutes(dice.between(2, 10));
    return OperatorActions.publishing(
        new PlannedCommand(
            at, new UserCommand.ApplyCluster(cluster.with(closed), Optional.empty(), false)));
  }
}
