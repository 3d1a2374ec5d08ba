package dev.mayfly.sim;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.sim.fake.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What some worlds have besides: GPUs that tasks share, short tasks of two priorities, a machine of
 * somebody's own, another name for the cluster. Each has dice of its own, so that the rest of a
 * world is the same without it.
 */
final class Extras {
  /** The pool and the name of the machine that no cloud knows. */
  static final String OWN_POOL = "own";

  static final String OWN_MACHINE = "desk";

  private static final long GIB = 1L << 30;

  private final ClusterSpec cluster;
  private final Duration storm;
  private final List<PoolSpec> pools = new ArrayList<>();
  private final List<PlannedJob> jobs = new ArrayList<>();
  private final List<Whims.Said> says = new ArrayList<>();
  private Optional<Duration> joins = Optional.empty();
  private int number;

  /**
   * @param number of the next job
   */
  Extras(long seed, ClusterSpec cluster, int number, Duration storm) {
    this.cluster = cluster;
    this.number = number;
    this.storm = storm;
    sometimes(0.15, new Dice(seed).of("gpus"), this::gpus);
    sometimes(0.15, new Dice(seed).of("priorities"), this::priorities);
    sometimes(0.15, new Dice(seed).of("own machine"), this::joins);
    sometimes(0.1, new Dice(seed).of("rename"), this::rename);
  }

  private static void sometimes(double chance, Dice dice, Consumer<Dice> what) {
    if (dice.chance(chance)) what.accept(dice);
  }

  private void gpus(Dice dice) {
    var has = new Resources(16_000, 64 * GIB, 1_000L * dice.between(1, 4), 0);
    pools.add(
        Scenarios.pool(
            "gpu",
            "n2-standard-16",
            has,
            cluster.pools().getFirst().zones(),
            dice.between(1, 3),
            dice));
    var share = dice.pick(List.of(250L, 400L, 600L, 1_000L));
    var need = new Resources(500, GIB, share, 0);
    var tasks = dice.between(2, 20);
    add(tasks, need, 50, Optional.of("gpu"), at(dice, 60), Duration.ofSeconds(30), dice);
  }

  private void priorities(Dice dice) {
    var one = Resources.cpu(1, GIB);
    var at = at(dice, 50);
    var seconds = Duration.ofSeconds(dice.between(1, 3));
    add(dice.between(40, 150), one, 50, Optional.empty(), at, seconds, dice);
    var later = at.plusSeconds(dice.between(5, 60));
    add(dice.between(10, 40), one, 90, Optional.empty(), later, seconds, dice);
  }

  private void joins(Dice dice) {
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
            Duration.ofHours(24)));
    joins = Optional.of(at(dice, 60));
  }

  private void rename(Dice dice) {
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
            formerly.rollout());
    var same = formerly.budget().map(named::within).orElse(named);
    var at = storm.multipliedBy(dice.between(40, 95)).dividedBy(100);
    says.add(new Whims.Said(at, new Command.ApplyCluster(same, Optional.of("lab"))));
  }

  private Duration at(Dice dice, int percent) {
    return storm.multipliedBy(dice.between(0, percent)).dividedBy(100);
  }

  private void add(
      int tasks,
      Resources need,
      int priority,
      Optional<String> pool,
      Duration at,
      Duration longest,
      Dice dice) {
    var like = Scenarios.spec(number, new TaskSource.Count(tasks), dice);
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
            Place.inPools(pool.stream().toList()),
            like.exclusive(),
            0,
            false,
            Optional.empty());
    var shortest = longest.dividedBy(4);
    jobs.add(
        new PlannedJob(
            number++, spec, at, Optional.empty(), Optional.empty(), 0, 0, shortest, longest));
  }

  /** The cluster with what its file says besides. */
  ClusterSpec cluster() {
    var all = new ArrayList<>(cluster.pools());
    all.addAll(pools);
    return pools.isEmpty() ? cluster : cluster.with(all);
  }

  List<PlannedJob> jobs() {
    return jobs;
  }

  Whims and(Whims whims) {
    return new Whims(
        whims.drain(), whims.change(), whims.down(), List.copyOf(says), joins, whims.more());
  }
}
