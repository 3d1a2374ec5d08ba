package dev.mayfly.sim.remedy;

import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.veto.Remedy;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Does what remedies say, as people and clouds do it. */
final class RemedyActions {
  /** From an order to the first report of its machine. */
  private static final Duration BOOT = Duration.ofMinutes(6);

  private static final Duration TICKS = Duration.ofMinutes(3);
  private static final double PRICE = 0.1;
  private static final int PLENTY = 1_000;

  private final World world;

  RemedyActions(World world) {
    this.world = world;
  }

  /**
   * How long it takes to help.
   *
   * @param longest how long a task of the job may run
   */
  Duration apply(Remedy remedy, Job job, Duration longest) {
    return switch (remedy) {
      case Remedy.Nothing _ -> BOOT;
      case Remedy.WorkEnds _ -> {
        stopOthers(job);
        yield longest.plus(BOOT);
      }
      case Remedy.TriedAgain r -> {
        restock();
        yield until(r.at());
      }
      case Remedy.AskForQuota r -> {
        restock();
        yield r.next().map(this::until).orElse(TICKS);
      }
      case Remedy.MendPool r -> r.next().map(this::until).orElse(TICKS);
      case Remedy.MendMachines r -> {
        world.skies().lacks.clear();
        yield r.next().map(this::until).orElse(TICKS).plus(BOOT);
      }
      case Remedy.RaiseMaximum r -> up(spec -> spec.with(raised(spec, r.pool(), r.workers())));
      case Remedy.JoinMachines r -> {
        world.users().join(r.machines());
        yield TICKS;
      }
      case Remedy.RaiseBudget r ->
          up(spec ->
              spec.withBudget(
                  new HourlyBudget(r.usdPerHour(), spec.hourlyBudget().orElseThrow().prices())));
      case Remedy.RaiseMonth r ->
          up(spec -> {
            var budget = spec.budget().orElseThrow();
            return spec.withBudget(
                new Budget(budget.usdPerHour(), budget.prices(), Optional.of(r.usdPerMonth())));
          });
      case Remedy.MendDocument _ -> {
        world.ledger().mend();
        yield TICKS.plus(BOOT);
      }
      case Remedy.GivePrice r -> up(spec -> spec.withBudget(priced(spec, r.machineType())));
      case Remedy.RaiseOwnerLimit r ->
          up(spec -> spec.withLimits(limited(spec, r.owner(), r.tasks())));
      case Remedy.Uncordon r -> {
        world.users().publish(new UserCommand.Uncordon("lab", r.name()));
        yield TICKS;
      }
      case Remedy.NameNoWorkers _ -> again(job);
      case Remedy.EndMachines _,
          Remedy.AddOnDemand _,
          Remedy.MendCommand _,
          Remedy.ReadLogs _,
          Remedy.SmallerGang _,
          Remedy.NamePools _,
          Remedy.MountStorage _,
          Remedy.AddLabels _,
          Remedy.AddPool _ ->
          throw new AssertionError("no such remedy is meant for these worlds: " + remedy);
    };
  }

  private Duration until(Instant at) {
    return Duration.between(world.time().instant(), at).plus(TICKS);
  }

  private void restock() {
    for (var pool : cluster().pools())
      for (var zone : pool.zones()) {
        world.fleet().stock(zone, PLENTY);
        world.fleet().quota(StorageLocation.region(zone), PLENTY);
      }
  }

  private void stopOthers(Job job) {
    for (var other : world.truth().all(Job.class))
      if (other.running() && !other.uid().equals(job.uid()))
        world.users().publish(new UserCommand.StopJob("lab", other.spec().address()));
  }

  private Duration up(UnaryOperator<ClusterSpec> change) {
    world
        .users()
        .publish(new UserCommand.ApplyCluster(change.apply(cluster()), Optional.empty(), false));
    return TICKS;
  }

  private ClusterSpec cluster() {
    return world.truth().all(Cluster.class).getFirst().spec();
  }

  private static List<PoolSpec> raised(ClusterSpec spec, String name, int max) {
    return spec.pools().stream().map(p -> p.name().equals(name) ? raised(p, max) : p).toList();
  }

  private static PoolSpec raised(PoolSpec pool, int max) {
    return new PoolSpec(
        pool.name(),
        pool.machineType(),
        pool.visible(),
        pool.zones(),
        pool.provisioning(),
        pool.min(),
        max,
        pool.idleAfter(),
        pool.life(),
        MachineSpec.PLAIN);
  }

  private static HourlyBudget priced(ClusterSpec spec, String machineType) {
    var budget = spec.hourlyBudget().orElseThrow();
    var prices = new HashMap<>(budget.prices());
    prices.put(machineType, PRICE);
    return new HourlyBudget(budget.usdPerHour(), prices);
  }

  private static ClusterLimits limited(ClusterSpec spec, String owner, long tasks) {
    var limits = spec.limit();
    var owners = new HashMap<>(limits.owners());
    if (!owner.isEmpty()) owners.put(owner, tasks);
    var all = owner.isEmpty() ? Optional.of(tasks) : limits.ownerConcurrency();
    return new ClusterLimits(
        all,
        owners,
        limits.confirmTasks(),
        limits.confirmUsdPerHour(),
        limits.maxRunTime(),
        limits.fairShare());
  }

  private Duration again(Job job) {
    world.users().publish(new UserCommand.StopJob("lab", job.spec().address()));
    var spec = job.spec().withPlacement(Placement.ANYWHERE);
    world.users().submit(spec, "again-" + job.uid());
    return TICKS;
  }
}
