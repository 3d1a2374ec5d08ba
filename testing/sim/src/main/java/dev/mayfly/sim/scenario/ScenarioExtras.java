package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.engine.SimRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Extras of some worlds: GPUs that tasks share, short tasks of two priorities, a static machine, a
 * renamed cluster, a limit by the month. Each has its own randomness, so that the rest of a world
 * is the same without it.
 */
public final class ScenarioExtras {
  /** The static machine's pool, and its name. */
  public static final String OWN_POOL = "own";

  public static final String OWN_MACHINE = "desk";

  private static final long GIB = 1L << 30;
  private static final double PLENTY = 1_000_000;

  private final ClusterSpec cluster;
  private final Duration storm;
  private final List<PoolSpec> pools = new ArrayList<>();
  private final List<PlannedJob> jobs = new ArrayList<>();
  private final List<OperatorActions.PlannedCommand> says = new ArrayList<>();
  private Optional<Duration> joins = Optional.empty();
  private Optional<Double> usdPerMonth = Optional.empty();
  private int spare;
  private Optional<FairShareSpec> shares = Optional.empty();
  private int number;

  /**
   * @param number of the next job
   * @param whims without extras
   */
  ScenarioExtras(
      long seed, ClusterSpec cluster, int number, Duration storm, OperatorActions whims) {
    this.cluster = cluster;
    this.number = number;
    this.storm = storm;
    sometimes(0.15, new SimRandom(seed).of("gpus"), this::gpus);
    sometimes(0.15, new SimRandom(seed).of("priorities"), this::priorities);
    sometimes(0.15, new SimRandom(seed).of("own machine"), this::joins);
    sometimes(0.25, new SimRandom(seed).of("short lives"), this::shortLives);
    sometimes(0.15, new SimRandom(seed).of("spare"), some -> spare = some.between(1, 2));
    sometimes(0.2, new SimRandom(seed).of("shares"), this::shares);
    // The last: its file has the pools of all others.
    sometimes(0.1, new SimRandom(seed).of("rename"), this::rename);
    if (says.isEmpty() && whims.down().isEmpty() && cluster.pools().getFirst().max() % 5 == 3)
      month(new SimRandom(seed).of("month"));
  }

  private static void sometimes(double chance, SimRandom simRandom, Consumer<SimRandom> what) {
    if (simRandom.chance(chance)) what.accept(simRandom);
  }

  private void gpus(SimRandom simRandom) {
    var has = new Resources(16_000, 64 * GIB, 1_000L * simRandom.between(1, 4), 0, 16 * GIB);
    pools.add(
        ScenarioGenerator.pool(
            "gpu",
            "n2-standard-16",
            has,
            cluster.pools().getFirst().zones(),
            simRandom.between(1, 3),
            simRandom));
    var share = simRandom.pick(List.of(250L, 400L, 600L, 1_000L));
    var need = new Resources(500, GIB, share, 0);
    var tasks = simRandom.between(2, 20);
    add(tasks, need, 50, Optional.of("gpu"), at(simRandom, 60), Duration.ofSeconds(30), simRandom);
    if (!simRandom.chance(0.5)) return;
    var memory = GIB * simRandom.between(1, 16);
    var byMemory = new Resources(500, GIB, simRandom.pick(List.of(0L, share)), 0, memory);
    var at = at(simRandom, 60);
    add(tasks, byMemory, 50, Optional.of("gpu"), at, Duration.ofSeconds(20), simRandom);
  }

  private void priorities(SimRandom simRandom) {
    var one = Resources.cpu(1, GIB);
    var at = at(simRandom, 50);
    var seconds = Duration.ofSeconds(simRandom.between(1, 3));
    add(simRandom.between(40, 150), one, 50, Optional.empty(), at, seconds, simRandom);
    var later = at.plusSeconds(simRandom.between(5, 60));
    add(simRandom.between(10, 40), one, 90, Optional.empty(), later, seconds, simRandom);
  }

  private void joins(SimRandom simRandom) {
    pools.add(
        new PoolSpec(
            OWN_POOL,
            "own",
            Resources.cpu(2, 8 * GIB),
            cluster.pools().getFirst().zones(),
            Provisioning.STATIC,
            0,
            1,
            Duration.ofMinutes(10),
            Duration.ofHours(24),
            MachineSpec.PLAIN));
    joins = Optional.of(at(simRandom, 60));
  }

  /** Machines that live for minutes, and tasks that some of them do not live to finish. */
  private void shortLives(SimRandom simRandom) {
    var first = cluster.pools().getFirst();
    var plain =
        ScenarioGenerator.pool(
            "brief", "n2-standard-4", first.visible(), first.zones(), 2, simRandom);
    pools.add(
        new PoolSpec(
            plain.name(),
            plain.machineType(),
            plain.visible(),
            plain.zones(),
            plain.provisioning(),
            0,
            2,
            plain.idleAfter(),
            Duration.ofMinutes(simRandom.between(10, 20)),
            MachineSpec.PLAIN));
    var tasks = simRandom.between(5, 30);
    var one = Resources.cpu(1, GIB);
    var longest = Duration.ofSeconds(simRandom.between(120, 420));
    add(tasks, one, 50, Optional.of("brief"), at(simRandom, 80), longest, simRandom);
  }

  /** Weights, and mostly a half-life that is short enough to matter in a storm. */
  private void shares(SimRandom simRandom) {
    var weights = new HashMap<String, Double>();
    for (var owner : List.of("ada", "bob"))
      if (simRandom.chance(0.7)) weights.put(owner, simRandom.between(1, 8) / 2.0);
    var halfLife = Optional.of(Duration.ofMinutes(simRandom.between(10, 60)));
    shares = Optional.of(new FairShareSpec(weights, halfLife.filter(_ -> simRandom.chance(0.7))));
  }

  private void rename(SimRandom simRandom) {
    var formerly = cluster();
    var named =
        new ClusterSpec(
            "lab-two",
            formerly.bucket(),
            formerly.env(),
            formerly.pools(),
            formerly.owner(),
            formerly.secrets(),
            formerly.image(),
            formerly.registries(),
            formerly.mounts(),
            formerly.rollout(),
            TaskRights.NONE,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.empty());
    var same = formerly.budget().map(named::withBudget).orElse(named);
    var at = storm.multipliedBy(simRandom.between(40, 95)).dividedBy(100);
    says.add(
        new OperatorActions.PlannedCommand(
            at, new UserCommand.ApplyCluster(same, Optional.of("lab"), false)));
  }

  /** Money for some machines, then for none, and in the end for all. */
  private void month(SimRandom simRandom) {
    usdPerMonth = Optional.of(simRandom.between(50, 400) / 10.0);
    var lowered = storm.multipliedBy(simRandom.between(30, 90)).dividedBy(100);
    says.add(month(lowered, simRandom.between(1, 20) / 10.0));
    says.add(month(storm, PLENTY));
  }

  private OperatorActions.PlannedCommand month(Duration at, double usd) {
    return new OperatorActions.PlannedCommand(
        at,
        new UserCommand.ApplyCluster(cluster().withBudget(monthly(usd)), Optional.empty(), false));
  }

  private static Budget monthly(double usd) {
    return new Budget(
        Optional.empty(),
        Map.of("n2-standard-4", 4.0, "n2-standard-16", 8.0, "v4-16", 8.0),
        Optional.of(usd));
  }

  private Duration at(SimRandom simRandom, int percent) {
    return storm.multipliedBy(simRandom.between(0, percent)).dividedBy(100);
  }

  private void add(
      int tasks,
      Resources need,
      int priority,
      Optional<String> pool,
      Duration at,
      Duration longest,
      SimRandom simRandom) {
    var like = ScenarioGenerator.spec(number, new TaskSource.Count(tasks), simRandom);
    var spec =
        new JobSpec(
            like.name(),
            like.cluster(),
            like.owner(),
            like.tasks(),
            like.data(),
            like.run(),
            need,
            like.retries(),
            priority,
            Placement.inPools(pool.stream().toList()),
            like.exclusive(),
            0,
            false,
            Optional.empty(),
            like.admissionRules());
    var shortest = longest.dividedBy(4);
    jobs.add(
        new PlannedJob(
            number++, spec, at, Optional.empty(), Optional.empty(), 0, 0, shortest, longest));
  }

  /** The cluster with the extras of its file. */
  ClusterSpec cluster() {
    var all = new ArrayList<>(cluster.pools());
    if (spare > 0) all.set(0, all.getFirst().withSpare(spare));
    all.addAll(pools);
    var whole = all.equals(cluster.pools()) ? cluster : cluster.with(all);
    var paid = usdPerMonth.map(usd -> whole.withBudget(monthly(usd))).orElse(whole);
    return shares.map(it -> paid.withLimits(paid.limit().sharing(it))).orElse(paid);
  }

  List<PlannedJob> jobs() {
    return jobs;
  }

  OperatorActions addTo(OperatorActions operatorActions) {
    return new OperatorActions(
        operatorActions.drain(),
        operatorActions.change(),
        operatorActions.down(),
        List.copyOf(says),
        joins,
        operatorActions.followUps());
  }

  /** The pool as one that chooses between its type and another one. */
  static List<PoolSpec> choices(PoolSpec pool, String other) {
    return Stream.of(pool.machineType(), other)
        .map(type -> {
          var name = PoolSpec.choice(pool.name(), type);
          return new PoolSpec(
              name,
              type,
              pool.visible(),
              pool.zones(),
              pool.provisioning(),
              pool.min(),
              pool.max(),
              pool.idleAfter(),
              pool.life(),
              pool.machine());
        })
        .toList();
  }
}
