package dev.mayfly.sim;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.query.estimate.JobStart;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.scenario.OperatorActions;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.Scenario;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.world.Mutant;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Measures whether nine of ten waiting jobs start within the spread that was said while they
 * waited. Each world has some jobs of one or two owners on few machines, which boot as they are
 * needed; starts are read as people read them, soon after a job came and ever more seldom after.
 * The same seeds give the same result.
 */
final class StartCalibration {
  private static final long GIB = 1L << 30;
  private static final int PAGE = 500;
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration FIRST = Duration.ofSeconds(4);
  private static final Duration MOST_TIME = Duration.ofDays(3);
  private static final List<Integer> SECONDS = List.of(10, 60, 300, 1_200);
  private static final List<Double> VARIATIONS = List.of(0.1, 0.5, 0.9);

  /**
   * A start that was said, and what became of it.
   *
   * @param spread empty if it was unknown
   */
  record Reading(
      long seed, String job, Instant at, Optional<JobStart.Spread> spread, Instant start) {
    /** Whether the job started within the spread; a few seconds are less than what anyone waits. */
    boolean holds() {
      return spread.isPresent() && !isEarly() && !isLate();
    }

    /** The job started before the spread. */
    boolean isEarly() {
      return spread.filter(it -> start.isBefore(it.earliest().minusSeconds(2))).isPresent();
    }

    /** The job started after the spread. */
    boolean isLate() {
      return spread.filter(it -> start.isAfter(it.latest().plusSeconds(2))).isPresent();
    }

    /** How wide the spread is, by how long the job waited. */
    double width() {
      var wide =
          spread.map(it -> Duration.between(it.earliest(), it.latest()).toMillis()).orElse(0L);
      return (double) wide / Math.max(1_000, Duration.between(at, start).toMillis());
    }
  }

  private record Said(Instant at, JobStart start) {}

  private final World world;
  private final SimRandom random;
  private final int jobs;
  private final StatusQueries statusQueries;

  private StartCalibration(long seed, boolean preempted) {
    random = new SimRandom(seed).of("starts");
    jobs = random.between(2, 6);
    var owners = random.between(1, 2);
    var workers = random.between(1, 6);
    var slots = random.between(1, 8);
    var most = random.pick(SECONDS);
    var planned = new ArrayList<PlannedJob>();
    for (var i = 0; i < jobs; i++) {
      var seconds = Math.min(most, random.pick(SECONDS));
      planned.add(
          job(
              i,
              seconds,
              random.pick(VARIATIONS),
              i % owners,
              slots,
              Duration.ofSeconds(random.between(0, 4 * most))));
    }
    var pool =
        new PoolSpec(
            "small",
            "n2-standard-4",
            Resources.cpu(slots, 16 * GIB),
            List.of("z-a"),
            Provisioning.SPOT,
            0,
            workers,
            Duration.ofMinutes(5),
            Duration.ofHours(48),
            MachineSpec.PLAIN);
    var cluster = ClusterBuilder.named("lab").bucket("gs://lab-bucket").pools(pool).build();
    var scenario =
        new Scenario(
            seed,
            Set.of(),
            1,
            cluster,
            Map.of(),
            planned,
            OperatorActions.NONE,
            Duration.ofMinutes(1));
    world = new World(scenario, CoreControlPlane::new, Mutant.NONE, OptionalLong.empty(), 0, false);
    statusQueries = new StatusQueries(world.observer());
    var life = Math.max(Duration.ofMinutes(20).toSeconds(), 20L * most);
    if (preempted)
      EstimateCalibration.preemptLater(world, random, Duration.ofSeconds(life / workers));
  }

  private PlannedJob job(
      int number, int seconds, double variation, int owner, int slots, Duration at) {
    var base =
        CostSimulation.job(
            random.between(4, 80),
            EstimateCalibration.millis(seconds * (1 - variation)),
            EstimateCalibration.millis(seconds * (1 + variation)));
    var spec =
        JobBuilder.like(base.spec(), "job-" + number)
            .owner("owner-" + owner)
            .output("gs://lab-bucket/out-" + number + "/{index}.out")
            .resources(Resources.cpu(random.between(1, Math.min(2, slots)), GIB))
            .build();
    return new PlannedJob(number, spec, at, Optional.empty(), Optional.empty(), 0, 0, base.tasks());
  }

  /**
   * The readings of so many worlds.
   *
   * @param preempted whether machines are preempted while jobs wait, and replaced
   */
  static List<Reading> of(long from, int worlds, boolean preempted) {
    var readings = new ArrayList<Reading>();
    for (var seed = from; seed < from + worlds; seed++)
      readings.addAll(new StartCalibration(seed, preempted).run());
    return readings;
  }

  private List<Reading> run() {
    world.begin();
    var said = new HashMap<String, List<Said>>();
    var next = new HashMap<String, Instant>();
    var pauses = new HashMap<String, Duration>();
    var starts = new HashMap<String, Instant>();
    while (starts.size() < jobs) {
      world.advanceTo(world.time().instant().plus(LOOK));
      var now = world.time().instant();
      if (Duration.between(World.START, now).compareTo(MOST_TIME) > 0)
        throw new IllegalStateException("no start within " + MOST_TIME);
      for (var job : world.truth().all(Job.class)) {
        if (starts.containsKey(job.uid())) continue;
        var totals = world.ledger().totals(job.key());
        if (totals.leased() + totals.done() > 0)
          began(job).ifPresent(at -> starts.put(job.uid(), at));
        if (totals.leased() + totals.done() > 0 || totals.ready() == 0) continue;
        next.putIfAbsent(job.uid(), now.plus(FIRST));
        if (now.isBefore(requireNonNull(next.get(job.uid())))) continue;
        statusQueries
            .estimate("lab", job.uid())
            .start()
            .ifPresent(it ->
                said.computeIfAbsent(job.uid(), _ -> new ArrayList<>()).add(new Said(now, it)));
        var pause = pauses.merge(job.uid(), FIRST.multipliedBy(3), (one, _) -> one.multipliedBy(3));
        next.put(job.uid(), now.plus(pause));
      }
    }
    var readings = new ArrayList<Reading>();
    said.forEach((job, all) ->
        all.forEach(it ->
            readings.add(
                new Reading(
                    world.scenario().seed(),
                    job,
                    it.at(),
                    it.start().spread(),
                    requireNonNull(starts.get(job))))));
    return readings;
  }

  /** When its first task began, as soon as that is reported. */
  private Optional<Instant> began(Job job) {
    var running =
        world.truth().all(Worker.class).stream()
            .flatMap(worker -> worker.held().stream())
            .filter(held -> held.job().equals(job.uid()))
            .flatMap(held -> held.startedAt().stream());
    var done =
        statusQueries
            .tasks("lab", job.uid(), new TaskRequest(Optional.of(TaskStatus.State.DONE), 0, PAGE))
            .tasks()
            .stream()
            .flatMap(task -> task.startedAt().stream());
    return Stream.concat(running, done).min(Instant::compareTo);
  }

  /** How often starts hold in so many calm worlds and in as many with preemptions. */
  static String table(long from, int worlds) {
    var table =
        new StringBuilder("starts of jobs, worlds %d to %d%n".formatted(from, from + worlds - 1));
    table.append("            read  unknown  hold  early  late  width of the middle one\n");
    for (var preempted : List.of(false, true))
      table.append(line(preempted ? "preempted" : "calm", of(from, worlds, preempted)));
    return table.toString();
  }

  private static String line(String kind, List<Reading> all) {
    var known = all.stream().filter(it -> it.spread().isPresent()).toList();
    var widths = known.stream().mapToDouble(Reading::width).sorted().toArray();
    return "%-10s %5d %5d %% %4d %% %4d %% %3d %%  %.2f of what it took%n"
        .formatted(
            kind,
            all.size(),
            100 - percent(all, it -> it.spread().isPresent()),
            percent(known, Reading::holds),
            percent(known, Reading::isEarly),
            percent(known, Reading::isLate),
            widths.length == 0 ? 0 : widths[widths.length / 2]);
  }

  private static long percent(List<Reading> readings, Predicate<Reading> which) {
    return Math.round(
        100.0 * readings.stream().filter(which).count() / Math.max(1, readings.size()));
  }
}
