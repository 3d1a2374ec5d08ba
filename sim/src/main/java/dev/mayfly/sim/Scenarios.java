package dev.mayfly.sim;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.HourlyBudget;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Rollout;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Draws a scenario from a seed: a bounded one, and each another mixture of sizes and faults. */
final class Scenarios {
  static final String BUCKET = "gs://lab-bucket";
  private static final long GIB = 1L << 30;

  private Scenarios() {}

  static Scenario of(long seed) {
    var dice = new Dice(seed).of("scenario");
    var storm = dice.seconds(180, 2_400);
    var zones = List.of("z-a", "z-b", "z-c").subList(0, dice.between(1, 3));
    var jobs = new ArrayList<PlannedJob>();
    var count = dice.between(1, 3);
    for (var i = 0; i < count; i++) jobs.add(job(i, dice, storm));
    var slices = new Dice(seed).of("slices");
    var sliced = slices.chance(0.3);
    if (sliced) jobs.add(onSlices(count, slices, storm));
    var faults = faults(dice);
    var instances = dice.between(1, 3);
    var gangs = new Dice(seed).of("gangs");
    var cluster = cluster(dice, zones, sliced);
    var stock = stock(dice, zones);
    if (gangs.chance(0.2))
      gang(count + 1, cluster, all(stock, zones), gangs, storm).ifPresent(jobs::add);
    var beside = new Dice(seed).of("neighbour");
    var neighbour =
        beside.chance(0.25)
            ? Optional.of(Neighbours.cluster(beside))
            : Optional.<ClusterSpec>empty();
    if (neighbour.isPresent()) jobs.add(Neighbours.job(count + 2, beside, storm));
    var rolling = rolling(cluster, new Dice(seed).of("rollout"));
    var extras = new Extras(seed, rolling, count + 3, storm);
    jobs.addAll(extras.jobs());
    return new Scenario(
        seed,
        faults,
        instances,
        extras.cluster(),
        neighbour,
        stock,
        jobs,
        extras.and(Whims.of(dice.of("whims"), storm)),
        storm);
  }

  /**
   * Each seed has some kinds of faults and not others: all at once would hide what one of them
   * does.
   */
  private static Set<Fault> faults(Dice dice) {
    var share = dice.pick(List.of(0.0, 0.1, 0.25, 0.5, 0.8));
    var drawn = EnumSet.noneOf(Fault.class);
    // What came later has dice of its own: with it or without, the rest of the world is the same.
    var log = EnumSet.range(Fault.MACHINE_EVENTS, Fault.EVENT_OF_ANOTHER);
    var newest = EnumSet.range(Fault.INSTANCE_STALLED, Fault.CLOCK_BACK_AND_RESTART);
    var logs = dice.of("log");
    var newer = dice.of("newer");
    var human = EnumSet.range(Fault.DOCUMENT_UNREADABLE, Fault.OBJECTS_DENIED);
    var humans = dice.of("human");
    var later = EnumSet.range(Fault.UNREADABLE_FOR_LONG, Fault.values()[Fault.values().length - 1]);
    var latest = dice.of("latest");
    for (var fault : Fault.values()) {
      var own =
          log.contains(fault)
              ? logs
              : newest.contains(fault)
                  ? newer
                  : human.contains(fault) ? humans : later.contains(fault) ? latest : dice;
      if (own.chance(share)) drawn.add(fault);
    }
    return drawn;
  }

  /** A few tasks, each for all hosts of a slice at once. */
  private static PlannedJob onSlices(int number, Dice dice, Duration storm) {
    return together(number, "slice", 0, dice, storm);
  }

  /** A few tasks, each for two or three machines at once; none where there may be one alone. */
  private static Optional<PlannedJob> gang(
      int number, ClusterSpec cluster, int stock, Dice dice, Duration storm) {
    var most = Math.min(stock, Math.min(3, cluster.pools().getFirst().max()));
    return most < 2
        ? Optional.empty()
        : Optional.of(together(number, "small", dice.between(2, most), dice, storm));
  }

  private static PlannedJob together(int number, String pool, int gang, Dice dice, Duration storm) {
    var job = job(number, dice, storm);
    var spec = job.spec();
    var count = new TaskSource.Count(dice.between(1, 4));
    var template = Optional.of(BUCKET + "/out-" + number + "/{index}.out");
    var output = new JobSpec.Data(template, false, spec.data().outputs(), false);
    var own =
        new JobSpec(
            spec.name(),
            spec.cluster(),
            spec.owner(),
            count,
            output,
            dice.chance(0.4) ? lingering(spec.run(), dice) : spec.run(),
            spec.resources(),
            spec.retries(),
            spec.priority(),
            Place.inPools(List.of(pool)),
            spec.exclusive(),
            gang,
            spec.anyRegion(),
            spec.settle());
    return new PlannedJob(
        number, own, job.at(), job.stopAt(), job.again(), 0, 0, job.shortest(), job.longest());
  }

  /** Rank 0 ends a while after the others, and within the time that its job has. */
  private static JobSpec.Run lingering(JobSpec.Run run, Dice dice) {
    var command = List.of("work", Duration.ofSeconds(dice.between(30, 150)).toString());
    return new JobSpec.Run(
        command, run.code(), run.env(), run.timeout(), run.grace(), run.cutOff());
  }

  private static ClusterSpec cluster(Dice dice, List<String> zones, boolean sliced) {
    var max = dice.pick(List.of(1, 2, 3, 5, 8, 12));
    var pools = new ArrayList<PoolSpec>();
    pools.add(pool("small", "n2-standard-4", Resources.cpu(4, 16 * GIB), zones, max, dice));
    if (dice.chance(0.3))
      pools.add(pool("large", "n2-standard-16", Resources.cpu(16, 64 * GIB), zones, 2, dice));
    if (sliced)
      pools.add(pool("slice", "v4-16", Resources.cpu(4, 16 * GIB), zones, 2, new Dice(max)));
    var spec = new ClusterSpec("lab", BUCKET, Map.of("LANG", "C"), pools, Optional.of("ada"));
    // Dice of their own: seeds stay as they were.
    return max % 4 == 1 ? spec.within(budget(max)) : spec;
  }

  /** Enough for one machine of each pool, and for not much more. */
  private static HourlyBudget budget(int max) {
    return new HourlyBudget(
        20 + max, Map.of("n2-standard-4", 4.0, "n2-standard-16", 8.0, "v4-16", 8.0));
  }

  /** With times that are over before the storm is. */
  private static ClusterSpec rolling(ClusterSpec s, Dice dice) {
    var rollout =
        new Rollout(Duration.ofMinutes(dice.between(1, 15)), dice.pick(List.of(10, 25, 50, 100)));
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
            rollout);
    return s.budget().map(next::within).orElse(next);
  }

  static PoolSpec pool(
      String name, String type, Resources visible, List<String> zones, int max, Dice dice) {
    return new PoolSpec(
        name,
        type,
        visible,
        zones,
        Provisioning.SPOT,
        0,
        max,
        Duration.ofMinutes(dice.between(1, 5)),
        Duration.ofHours(24));
  }

  /** How many machines there are in all; a zone of which nothing is said has as many as wanted. */
  private static int all(Map<String, Integer> stock, List<String> zones) {
    return zones.stream().mapToInt(z -> stock.getOrDefault(z, 100)).sum();
  }

  private static Map<String, Integer> stock(Dice dice, List<String> zones) {
    var stock = new TreeMap<String, Integer>();
    for (var zone : zones) if (dice.chance(0.3)) stock.put(zone, dice.between(1, 6));
    return stock;
  }

  private static PlannedJob job(int number, Dice dice, Duration storm) {
    var source = source(number, dice);
    var at = part(storm, dice, 50);
    Optional<Duration> stop =
        dice.chance(0.3) ? Optional.of(stop(at, storm, dice)) : Optional.empty();
    Optional<Duration> again =
        dice.chance(0.3) ? Optional.of(part(storm, dice, 95)) : Optional.empty();
    var inputs = source instanceof TaskSource.Inputs ? dice.between(1, 80) : 0;
    var n = source instanceof TaskSource.Count c ? (int) c.count() : inputs;
    var sealed = dice.chance(0.2) ? dice.between(0, n) : 0;
    var pace =
        dice.pick(List.of(List.of(50, 900), List.of(3_000, 20_000), List.of(30_000, 120_000)));
    return new PlannedJob(
        number,
        spec(number, source, dice),
        at,
        stop,
        again,
        inputs,
        sealed,
        Duration.ofMillis(pace.get(0)),
        Duration.ofMillis(pace.get(1)));
  }

  /** Sometimes before the job, sometimes soon after its first tasks began. */
  private static Duration stop(Duration submitted, Duration storm, Dice dice) {
    return dice.chance(0.3) ? part(storm, dice, 90) : submitted.plus(dice.seconds(1, 240));
  }

  private static Duration part(Duration of, Dice dice, int percent) {
    return of.multipliedBy(dice.between(0, percent)).dividedBy(100);
  }

  private static TaskSource source(int number, Dice dice) {
    var kind = dice.between(1, 10);
    if (kind <= 6) return new TaskSource.Count(dice.pick(List.of(1, 3, 10, 40, 100, 300)));
    if (kind <= 9) return new TaskSource.Inputs(BUCKET + "/in-" + number + "/*.txt");
    return new TaskSource.Items(
        List.of(Map.of("item", "a"), Map.of("item", "b"), Map.of("item", "c")));
  }

  static JobSpec spec(int number, TaskSource source, Dice dice) {
    var name = source instanceof TaskSource.Inputs ? "{stem}" : "{index}";
    return new JobSpec(
        "job-" + number,
        "lab",
        Optional.of(number % 2 == 0 ? "ada" : "bob"),
        source,
        new JobSpec.Data(
            Optional.of(BUCKET + "/out-" + number + "/" + name + ".out"),
            false,
            dice.chance(0.2),
            false),
        new JobSpec.Run(
            List.of("work", "{index}"),
            Optional.empty(),
            Map.of(),
            Duration.ofMinutes(dice.between(5, 20)),
            Duration.ofSeconds(dice.between(1, 10)),
            Duration.ofMinutes(15)),
        Resources.cpu(dice.pick(List.of(0.5, 1.0, 2.0, 4.0)), GIB),
        new JobSpec.Retries(dice.between(1, 3), 100),
        dice.pick(List.of(10, 50, 50, 90)),
        List.of(),
        dice.chance(0.2));
  }

  static long tasks(PlannedJob job) {
    return switch (job.spec().tasks()) {
      case TaskSource.Count c -> c.count();
      case TaskSource.Inputs _ -> job.inputs();
      case TaskSource.Items i -> i.items().size();
    };
  }
}
