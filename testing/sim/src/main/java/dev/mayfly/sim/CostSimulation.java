package dev.mayfly.sim;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fake.UsageCounter;
import dev.mayfly.sim.scenario.OperatorActions;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.Scenario;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import dev.mayfly.sim.world.Mutant;
import dev.mayfly.sim.world.SimHost;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Runs the real control plane and agents in a world without faults, and counts billable operations.
 * One instance of {@code workers} takes 600 calls: Cloud Run starts another one at 60 % of the
 * 1,000 that are allowed ({@code cloud.google.com/run/docs/about-instance-autoscaling}).
 */
public final class CostSimulation {
  private static final long GIB = 1L << 30;
  private static final int CONCURRENCY = 600;

  /** Default number of concurrent tasks of a machine. */
  public static final int SLOTS = 4;

  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final Duration MAX_JOB_TIME = Duration.ofDays(3);

  /**
   * The counts of one run.
   *
   * @param window the duration in virtual time
   * @param places ledger operations by calling code, if requested
   */
  public record Result(UsageCounter.Reading counts, Duration window, List<String> places) {}

  private final World world;
  private final boolean byPlace;
  private final Set<String> taken = new HashSet<>();

  private CostSimulation(int workers, int slots, List<PlannedJob> jobs, boolean byPlace) {
    this(workers, instances(workers), slots, jobs, byPlace);
  }

  private CostSimulation(
      int workers, int instances, int slots, List<PlannedJob> jobs, boolean byPlace) {
    var pool =
        new PoolSpec(
            "small",
            "n2-standard-4",
            Resources.cpu(slots, 16 * GIB),
            List.of("z-a"),
            Provisioning.SPOT,
            0,
            Math.max(1, workers),
            Duration.ofMinutes(5),
            Duration.ofHours(48),
            MachineSpec.PLAIN);
    var cluster = ClusterBuilder.named("lab").bucket("gs://lab-bucket").pools(pool).build();
    var scenario =
        new Scenario(
            1,
            Set.of(),
            instances,
            cluster,
            Map.of(),
            jobs,
            OperatorActions.NONE,
            Duration.ofMinutes(1));
    world = new World(scenario, CoreControlPlane::new, Mutant.NONE, OptionalLong.empty(), 0, false);
    this.byPlace = byPlace;
    if (byPlace) world.tally().byPlace();
  }

  /** How many instances of {@code workers} Cloud Run starts for this many agents. */
  public static int instances(int workers) {
    return Math.max(1, (workers + CONCURRENCY - 1) / CONCURRENCY);
  }

  /** One tick of a running cluster without workers: its cost for a minute. */
  public static Result tick() {
    var run = new CostSimulation(4, SLOTS, List.of(), false);
    run.world.begin();
    run.pass(Duration.ofSeconds(50));
    var before = run.world.tally().read();
    run.world.gateway().deliverTick();
    run.pass(Duration.ofMillis(200));
    return new Result(run.world.tally().read().since(before), Duration.ofMinutes(1), List.of());
  }

  /** The same cluster with paused ticks: only the hourly cleanup. */
  public static Result paused(int hours) {
    var run = new CostSimulation(4, SLOTS, List.of(), false);
    run.world.begin();
    run.pass(Duration.ofSeconds(50));
    var before = run.world.tally().read();
    for (var i = 0; i < hours; i++) run.sweep();
    return new Result(run.world.tally().read().since(before), Duration.ofHours(hours), List.of());
  }

  /**
   * One job, from its cluster's publication to its end, starting without machines.
   *
   * @param slots concurrent tasks of a machine
   */
  public static Result job(long tasks, int workers, int slots, Duration task, boolean byPlace) {
    var run = new CostSimulation(workers, slots, List.of(job(tasks, task)), byPlace);
    run.world.begin();
    var start = run.world.tally().read();
    while (!run.ended()) run.pass(LOOK);
    return run.since(start);
  }

  /** The steady state in which all workers run one job that does not end. */
  public static Result steady(
      int workers, Duration task, Duration before, Duration window, boolean byPlace) {
    var perDay = Duration.ofDays(1).toMillis() / task.toMillis();
    var run =
        new CostSimulation(
            workers, SLOTS, List.of(job((long) workers * SLOTS * perDay, task)), byPlace);
    run.world.begin();
    run.pass(before);
    return run.during(window);
  }

  /**
   * The same while the cloud preempts a machine each {@code pause}, with notice. Each is replaced.
   */
  public static Result preempted(
      int workers,
      int instances,
      Duration task,
      Duration before,
      Duration window,
      Duration pause,
      boolean byPlace) {
    var tasks = (long) workers * SLOTS * (Duration.ofDays(1).toMillis() / task.toMillis());
    var run = new CostSimulation(workers, instances, SLOTS, List.of(job(tasks, task)), byPlace);
    run.world.begin();
    run.pass(before);
    run.world.gateway().log().on();
    run.takeEach(pause);
    run.pass(pause.multipliedBy(60));
    return run.during(window);
  }

  private void takeEach(Duration pause) {
    world.time().after(pause, () -> takeEach(pause));
    world.powered().stream()
        .filter(h -> !taken.contains(h.worker()))
        .min(Comparator.comparing(SimHost::worker))
        .ifPresent(h -> {
          taken.add(h.worker());
          world.fleet().preempt(h.machine(), false, Duration.ZERO, false);
        });
  }

  private static PlannedJob job(long tasks, Duration task) {
    return job(tasks, task.multipliedBy(9).dividedBy(10), task.multipliedBy(11).dividedBy(10));
  }

  /** A job of counted tasks of one CPU, submitted at once. */
  static PlannedJob job(long tasks, Duration shortest, Duration longest) {
    var spec =
        JobBuilder.named("job-0")
            .count(tasks)
            .output("gs://lab-bucket/out/{index}.out")
            .run(RunBuilder.of("work", "{index}").grace(Duration.ofSeconds(10)))
            .resources(Resources.cpu(1, GIB))
            .build();
    return new PlannedJob(
        0, spec, Duration.ZERO, Optional.empty(), Optional.empty(), 0, 0, shortest, longest);
  }

  private void sweep() {
    world.gateway().deliverSweep();
    pass(Duration.ofMillis(200));
  }

  private Result during(Duration window) {
    var before = world.tally().read();
    if (byPlace) world.tally().byPlace();
    pass(window);
    return since(before);
  }

  private Result since(UsageCounter.Reading before) {
    var now = world.tally().read();
    return new Result(
        now.since(before), Duration.between(before.at(), now.at()), world.tally().places());
  }

  private void pass(Duration time) {
    world.advanceTo(world.time().instant().plus(time));
  }

  private boolean ended() {
    if (Duration.between(World.START, world.time().instant()).compareTo(MAX_JOB_TIME) > 0)
      throw new IllegalStateException("the job did not end within " + MAX_JOB_TIME);
    var jobs = world.ledger().under("clusters/").stream().filter(Job.class::isInstance).toList();
    return !jobs.isEmpty() && jobs.stream().allMatch(j -> ((Job) j).state().ended());
  }
}
