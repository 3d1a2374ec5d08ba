package dev.mayfly.sim.experiment;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.scenario.DurationModel;
import dev.mayfly.sim.scenario.OperatorActions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A cluster, the jobs that arrive there, and the world around it.
 *
 * @param conditions what zones are like; of two that are about the same, the first counts
 * @param longest the virtual time after which it ends, whatever still waits
 * @param events what people and the cloud do at certain times
 */
public record Experiment(
    ClusterSpec cluster,
    List<ArrivingJob> jobs,
    List<ZoneConditions> conditions,
    Duration longest,
    Events events) {
  /**
   * What happens at certain times.
   *
   * @param commands that people publish
   * @param drains workers that people drain, without knowing their names before
   * @param quotas how many machines regions allow in all, from when on
   */
  public record Events(
      List<OperatorActions.PlannedCommand> commands, List<Drain> drains, List<Quota> quotas) {
    public static final Events NONE = new Events(List.of(), List.of(), List.of());

    public Events {
      commands = List.copyOf(commands);
      drains = List.copyOf(drains);
      quotas = List.copyOf(quotas);
    }

    /** When the last command is published. */
    Duration last() {
      return Stream.concat(
              commands.stream().map(OperatorActions.PlannedCommand::at),
              drains.stream().map(Drain::at))
          .max(Duration::compareTo)
          .orElse(Duration.ZERO);
    }
  }

  /** Of the ready workers of a pool, those with most to do are drained, so many of them. */
  public record Drain(Duration at, String pool, int workers) {}

  /** How many machines a region allows, of all pools together. */
  public record Quota(Duration at, String region, int machines) {}

  public Experiment {
    jobs = List.copyOf(jobs);
    conditions = List.copyOf(conditions);
  }

  /**
   * An experiment with a cluster whose machines install, mount and pull nothing, for a simulation
   * does none of it.
   */
  public static Experiment of(
      ClusterSpec cluster,
      List<ArrivingJob> jobs,
      List<ZoneConditions> conditions,
      Duration longest) {
    return new Experiment(bare(cluster), jobs, conditions, longest, Events.NONE);
  }

  /** The same with what people and the cloud do. */
  public Experiment with(Events other) {
    var commands =
        other.commands().stream()
            .map(it -> new OperatorActions.PlannedCommand(it.at(), bare(it.command())))
            .toList();
    return new Experiment(
        cluster, jobs, conditions, longest, new Events(commands, other.drains(), other.quotas()));
  }

  private static UserCommand bare(UserCommand command) {
    return command instanceof UserCommand.ApplyCluster apply
        ? new UserCommand.ApplyCluster(bare(apply.spec()), apply.formerly(), apply.confirmed())
        : command;
  }

  private static ClusterSpec bare(ClusterSpec cluster) {
    return new ClusterSpec(
        cluster.name(),
        cluster.bucket(),
        Map.of(),
        cluster.pools(),
        cluster.owner(),
        Map.of(),
        Optional.empty(),
        Map.of(),
        List.of(),
        cluster.rollout(),
        TaskRights.NONE,
        List.of(),
        cluster.budget(),
        Optional.empty(),
        Optional.empty(),
        cluster.limits(),
        Map.of(),
        Optional.empty(),
        cluster.unusedAfter());
  }

  /** All clusters as they are meant at some time, the first one first. */
  public List<ClusterSpec> clusters() {
    var later =
        events.commands().stream()
            .flatMap(it ->
                it.command() instanceof UserCommand.ApplyCluster apply
                    ? Stream.of(apply.spec())
                    : Stream.empty());
    return Stream.concat(Stream.of(cluster), later).toList();
  }

  /** What the first condition that tells it says of a pool's machines in a zone. */
  private <T> Optional<T> first(
      PoolSpec pool, String zone, Function<ZoneConditions, Optional<T>> what) {
    return conditions.stream()
        .filter(c -> c.isAbout(pool.name(), zone))
        .flatMap(c -> what.apply(c).stream())
        .findFirst();
  }

  /** How many machines the zone has for the pool over time; empty for any number. */
  List<ZoneConditions.Stock> stock(PoolSpec pool, String zone) {
    return first(pool, zone, c -> Optional.of(c.stock()).filter(s -> !s.isEmpty()))
        .orElse(List.of());
  }

  /** The part of the pool's machines that the zone takes back within an hour. */
  double preemptedPerHour(PoolSpec pool, String zone) {
    return first(pool, zone, ZoneConditions::preemptedPerHour).orElse(0.0);
  }

  /** Machines of the pool that the zone takes back at a certain time. */
  List<ZoneConditions.Loss> losses(PoolSpec pool, String zone) {
    return conditions.stream()
        .filter(c -> c.isAbout(pool.name(), zone))
        .flatMap(c -> c.losses().stream())
        .toList();
  }

  /** How long a machine of the pool takes until it runs; empty for some seconds. */
  Optional<DurationModel> boot(PoolSpec pool, String zone) {
    return first(pool, zone, ZoneConditions::boot);
  }
}
