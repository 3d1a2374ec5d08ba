package dev.mayfly.sim;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.scenario.OperatorActions;
import dev.mayfly.sim.scenario.Scenario;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.world.Mutant;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Measures whether nine of ten jobs end within the spread that was said while they ran. Each world
 * has one job, with other numbers of tasks and machines and other durations; estimates are read as
 * people read them, when a tenth, three tenths and so on of its tasks are done. The same seeds give
 * the same result.
 */
final class EstimateCalibration {
  private static final long GIB = 1L << 30;
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration MOST_TIME = Duration.ofDays(3);
  private static final List<Integer> SECONDS = List.of(10, 60, 300, 1_200);
  private static final List<Double> VARIATIONS = List.of(0.1, 0.5, 0.9);
  private static final int PARTS = 10;

  /** How long a machine lives on average where machines are preempted, at least. */
  private static final Duration LEAST_LIFE = Duration.ofMinutes(20);

  /**
   * An estimate, and what became of it.
   *
   * @param tenths of the tasks that were done when it was read
   */
  record Reading(long seed, int tenths, Instant at, JobEstimate.Rest rest, Instant end) {
    /** Whether the job ended within the spread; a second is less than what a report takes. */
    boolean holds() {
      return !isEarly() && !isLate();
    }

    /** The job ended before the spread. */
    boolean isEarly() {
      return end.isBefore(rest.earliest().minusSeconds(1));
    }

    /** The job ended after the spread. */
    boolean isLate() {
      return end.isAfter(rest.latest().plusSeconds(1));
    }

    /** How wide the spread is, by what it took. */
    double width() {
      var spread = Duration.between(rest.earliest(), rest.latest()).toMillis();
      return (double) spread / Math.max(1_000, Duration.between(at, end).toMillis());
    }
  }

  private final World world;
  private final SimRandom random;
  private final long tasks;
  private final StatusQueries statusQueries;

  private EstimateCalibration(long seed, boolean preempted) {
    random = new SimRandom(seed).of("calibration");
    tasks = random.between(10, 300);
    var workers = random.between(1, 12);
    var seconds = random.pick(SECONDS);
    var variation = random.pick(VARIATIONS);
    var pool =
        new PoolSpec(
            "small",
            "n2-standard-4",
            Resources.cpu(random.between(1, 8), 16 * GIB),
            List.of("z-a"),
            Provisioning.SPOT,
            0,
            workers,
            Duration.ofMinutes(5),
            Duration.ofHours(48),
            MachineSpec.PLAIN);
    var cluster = ClusterBuilder.named("lab").bucket("gs://lab-bucket").pools(pool).build();
    var job =
        CostSimulation.job(
            tasks, millis(seconds * (1 - variation)), millis(seconds * (1 + variation)));
    var scenario =
        new Scenario(
            seed,
            Set.of(),
            1,
            cluster,
            Map.of(),
            List.of(job),
            OperatorActions.NONE,
            Duration.ofMinutes(1));
    world = new World(scenario, CoreControlPlane::new, Mutant.NONE, OptionalLong.empty(), 0, false);
    statusQueries = new StatusQueries(world.observer());
    // Thirty times as many as a zone takes that takes back a tenth an hour.
    var life = Math.max(LEAST_LIFE.toSeconds(), 20L * seconds);
    if (preempted) preemptLater(world, random, Duration.ofSeconds(life / workers));
  }

  static Duration millis(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }

  /** Preempts machines of a world, one each such pause on average. */
  static void preemptLater(World world, SimRandom random, Duration mean) {
    var pause = random.millis(0, (int) mean.multipliedBy(2).toMillis());
    world
        .time()
        .after(
            pause,
            () -> {
              var powered = world.powered();
              if (!powered.isEmpty())
                world.fleet().preempt(random.pick(powered).machine(), true, Duration.ZERO, false);
              preemptLater(world, random, mean);
            });
  }

  /**
   * The readings of so many worlds.
   *
   * @param preempted whether machines are preempted while the job runs, and replaced
   */
  static List<Reading> of(long from, int worlds, boolean preempted) {
    var readings = new ArrayList<Reading>();
    for (var seed = from; seed < from + worlds; seed++)
      readings.addAll(new EstimateCalibration(seed, preempted).run());
    return readings;
  }

  /** How often estimates hold in so many calm worlds and in as many with preemptions. */
  static String table(long from, int worlds) {
    var table =
        new StringBuilder(
            "estimates of jobs, worlds %d to %d%n".formatted(from, from + worlds - 1));
    table.append("            done  read  hold  early  late  width of the middle one\n");
    for (var preempted : List.of(false, true)) {
      var all = of(from, worlds, preempted);
      var kind = preempted ? "preempted" : "calm";
      for (var tenths = 1; tenths < PARTS; tenths += 2) {
        var some = tenths;
        table.append(
            line(
                kind,
                tenths * PARTS + " %",
                all.stream().filter(it -> it.tenths() == some).toList()));
      }
      table.append(line(kind, "all", all));
    }
    return table.toString();
  }

  private static String line(String kind, String done, List<Reading> readings) {
    var widths = readings.stream().mapToDouble(Reading::width).sorted().toArray();
    return "%-10s %5s %5d %4d %% %4d %% %3d %%  %.2f of what it took%n"
        .formatted(
            kind,
            done,
            readings.size(),
            percent(readings, Reading::holds),
            percent(readings, Reading::isEarly),
            percent(readings, Reading::isLate),
            widths.length == 0 ? 0 : widths[widths.length / 2]);
  }

  private static long percent(List<Reading> readings, Predicate<Reading> which) {
    return Math.round(
        100.0 * readings.stream().filter(which).count() / Math.max(1, readings.size()));
  }

  /** A world an hour after its job has ended: no machine is left. */
  static World ended(long seed, boolean preempted) {
    var calibration = new EstimateCalibration(seed, preempted);
    calibration.run();
    calibration.world.advanceTo(calibration.world.time().instant().plus(Duration.ofHours(1)));
    return calibration.world;
  }

  private record Said(int tenths, Instant at, JobEstimate.Rest rest) {}

  private List<Reading> run() {
    world.begin();
    var said = new ArrayList<Said>();
    var next = 1;
    while (true) {
      world.advanceTo(world.time().instant().plus(LOOK));
      if (Duration.between(World.START, world.time().instant()).compareTo(MOST_TIME) > 0)
        throw new IllegalStateException("no end within " + MOST_TIME);
      var job = world.truth().all(Job.class).stream().findFirst();
      if (job.isEmpty()) continue;
      if (job.get().state() instanceof JobState.Ended ended) {
        return said.stream()
            .map(it ->
                new Reading(
                    world.scenario().seed(), it.tenths(), it.at(), it.rest(), ended.since()))
            .toList();
      }
      var done = world.ledger().totals(job.get().key()).done();
      if (done * PARTS < next * tasks) continue;
      var tenths = next;
      statusQueries
          .estimate("lab", job.get().spec().name())
          .rest()
          .ifPresent(rest -> said.add(new Said(tenths, world.time().instant(), rest)));
      next += 2;
    }
  }
}
