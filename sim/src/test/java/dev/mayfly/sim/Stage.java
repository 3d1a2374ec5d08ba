package dev.mayfly.sim;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.sim.check.Proc;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * A world without chance faults, in which a test makes things happen. Every step is checked as
 * always.
 */
final class Stage {
  static final long GIB = 1L << 30;

  final World world;

  /** Every report that reached a function instance, in order. */
  final List<SyncReport> reports = new ArrayList<>();

  private Stage(Scenario scenario, ControlPlane.Maker maker) {
    var listener =
        new PlantedBug() {
          @Override
          public SyncReport heard(SyncReport report, World of) {
            reports.add(report);
            return report;
          }
        };
    world = new World(scenario, maker, listener, OptionalLong.empty(), Trace.KEPT, true);
    world.begin();
  }

  /** {@code warm} workers of 4 CPUs that are kept, at most {@code max}, and those jobs. */
  static Stage of(long seed, int warm, int max, PlannedJob... jobs) {
    return of(CorePlane::new, seed, warm, max, jobs);
  }

  /** The same with another control plane. */
  static Stage of(ControlPlane.Maker maker, long seed, int warm, int max, PlannedJob... jobs) {
    return of(maker, seed, List.of(small(warm, max)), jobs);
  }

  /** Workers of 4 CPUs: {@code warm} that are kept, at most {@code max}. */
  static PoolSpec small(int warm, int max) {
    return new PoolSpec(
        "small",
        "n2-standard-4",
        Resources.cpu(4, 16 * GIB),
        List.of("z-a"),
        Provisioning.SPOT,
        warm,
        max,
        Duration.ofMinutes(30),
        Duration.ofHours(24));
  }

  /** The same pool by another name. */
  static PoolSpec called(String name, PoolSpec pool) {
    return new PoolSpec(
        name,
        pool.machineType(),
        pool.visible(),
        pool.zones(),
        pool.provisioning(),
        pool.min(),
        pool.max(),
        pool.idleAfter(),
        pool.life());
  }

  /** The same with these pools. */
  static Stage of(ControlPlane.Maker maker, long seed, List<PoolSpec> pools, PlannedJob... jobs) {
    return of(maker, seed, 2, pools, jobs);
  }

  /** The same with so many function instances. */
  static Stage of(
      ControlPlane.Maker maker,
      long seed,
      int instances,
      List<PoolSpec> pools,
      PlannedJob... jobs) {
    var cluster = new ClusterSpec("lab", "gs://lab-bucket", Map.of(), pools, Optional.empty());
    return new Stage(
        new Scenario(
            seed,
            EnumSet.noneOf(Fault.class),
            instances,
            cluster,
            Map.of(),
            List.of(jobs),
            Whims.NONE,
            Duration.ofHours(9)),
        maker);
  }

  /** A job whose tasks all run for that long. */
  static PlannedJob job(int number, int tasks, double cpus, Duration each, boolean exclusive) {
    var spec =
        new JobSpec(
            "job-" + number,
            "lab",
            Optional.empty(),
            new TaskSource.Count(tasks),
            new JobSpec.Data(
                Optional.of("gs://lab-bucket/out-" + number + "/{index}"), false, false, false),
            new JobSpec.Run(
                List.of("work"),
                Optional.empty(),
                Map.of(),
                Duration.ofHours(2),
                Duration.ofSeconds(5),
                Duration.ofMinutes(15)),
            Resources.cpu(cpus, GIB),
            new JobSpec.Retries(1, 100),
            50,
            List.of(),
            exclusive);
    return new PlannedJob(
        number, spec, Duration.ofMinutes(2), Optional.empty(), Optional.empty(), 0, 0, each, each);
  }

  /** The same job on that pool alone, each task on so many machines at once; 0: as it comes. */
  static PlannedJob on(String pool, int gang, PlannedJob job) {
    var spec = job.spec();
    var together =
        new JobSpec(
            spec.name(),
            spec.cluster(),
            spec.owner(),
            spec.tasks(),
            spec.data(),
            spec.run(),
            spec.resources(),
            spec.retries(),
            spec.priority(),
            Place.inPools(List.of(pool)),
            spec.exclusive(),
            gang,
            spec.anyRegion(),
            spec.settle());
    return new PlannedJob(
        job.number(),
        together,
        job.at(),
        job.stopAt(),
        job.again(),
        0,
        0,
        job.shortest(),
        job.longest());
  }

  Stage pass(Duration time) {
    var until = now().plus(time);
    while (world.step(until)) {}
    return this;
  }

  /** How long it takes until that is so; at most {@code most}. */
  Duration until(BooleanSupplier so, Duration most) {
    var begin = now();
    var end = begin.plus(most);
    while (!so.getAsBoolean() && world.step(end)) {}
    if (!so.getAsBoolean())
      throw new AssertionError(
          "not so within " + most + ":\n" + String.join("\n", world.trace().last()));
    return Duration.between(begin, now());
  }

  Instant now() {
    return world.time().instant();
  }

  List<Worker> workers() {
    return world.truth().all(Worker.class);
  }

  long ready() {
    return workers().stream().filter(w -> w.state() instanceof WorkerState.Ready).count();
  }

  long lost() {
    return workers().stream()
        .filter(w -> w.state() instanceof WorkerState.Lost || w.state() instanceof WorkerState.Gone)
        .count();
  }

  Host host(String worker) {
    return world.hosts().get(worker);
  }

  List<Proc> running() {
    return new ArrayList<>(world.truth().running());
  }

  List<Proc> running(String worker) {
    return running().stream().filter(p -> p.worker().equals(worker)).toList();
  }

  /** Whether every one of these tasks runs on another machine. */
  boolean elsewhere(List<Proc> processes) {
    return processes.stream()
        .allMatch(p ->
            running().stream()
                .anyMatch(o -> o.task().equals(p.task()) && !o.worker().equals(p.worker())));
  }

  /** How many times tasks began in all. */
  int begun(int tasks) {
    var sum = 0;
    for (var job : world.truth().all(Job.class))
      for (var i = 0; i < tasks; i++) sum += world.truth().begun(job.uid(), i);
    return sum;
  }

  boolean ended() {
    var jobs = world.truth().all(Job.class);
    return !jobs.isEmpty() && jobs.stream().allMatch(j -> j.state().ended());
  }
}
