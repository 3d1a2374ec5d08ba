package dev.mayfly.sim.tour;

import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.scenario.OperatorActions;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.Scenario;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.world.Mutant;
import dev.mayfly.sim.world.SimHost;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A world in which nothing goes wrong by chance, and one thing on purpose. */
final class TourWorld {
  static final String ZONE = "us-central1-a";
  static final String OTHER_ZONE = "us-central1-b";
  static final long GIB = 1L << 30;

  final World world;

  private TourWorld(
      ClusterSpec cluster,
      Map<String, Integer> stock,
      UnaryOperator<AgentEvent> ends,
      List<PlannedJob> jobs) {
    var script =
        new Mutant() {
          @Override
          public AgentEvent incomingEvent(AgentEvent event) {
            return ends.apply(event);
          }

          @Override
          public UserMessage incomingMessage(UserMessage message, World of) {
            return new UserMessage(
                message.id(),
                message.publishedAt(),
                message.topic(),
                Optional.of("bob"),
                message.data());
          }
        };
    var scenario =
        new Scenario(
            1,
            EnumSet.noneOf(Fault.class),
            1,
            cluster,
            stock,
            jobs,
            OperatorActions.NONE,
            Duration.ofDays(2));
    world =
        new World(scenario, CoreControlPlane::new, script, OptionalLong.empty(), Trace.KEPT, false);
    world.begin();
  }

  static TourWorld of(PoolSpec pool, PlannedJob... jobs) {
    return of(cluster(pool), jobs);
  }

  static TourWorld of(ClusterSpec cluster, PlannedJob... jobs) {
    return new TourWorld(cluster, Map.of(), UnaryOperator.identity(), List.of(jobs));
  }

  /**
   * @param stock how many machines zones have
   */
  static TourWorld of(PoolSpec pool, Map<String, Integer> stock, PlannedJob... jobs) {
    return new TourWorld(cluster(pool), stock, UnaryOperator.identity(), List.of(jobs));
  }

  /**
   * @param end what a command's end is instead of a success
   */
  static TourWorld ending(UnaryOperator<AgentEvent.Exited> end, PlannedJob... jobs) {
    return endingOtherwise(end::apply, jobs);
  }

  /**
   * @param end what happens instead of a command's end
   */
  static TourWorld endingOtherwise(
      java.util.function.Function<AgentEvent.Exited, AgentEvent> end, PlannedJob... jobs) {
    return new TourWorld(
        cluster(pool(2)),
        Map.of(),
        event -> event instanceof AgentEvent.Exited exited ? end.apply(exited) : event,
        List.of(jobs));
  }

  /** Spot machines of four processors in one zone. */
  static PoolSpec pool(int max) {
    return pool(max, ZONE);
  }

  static PoolSpec pool(int max, String... zones) {
    return new PoolSpec(
        "cpu",
        "n2-standard-4",
        Resources.cpu(4, 16 * GIB),
        List.of(zones),
        Provisioning.SPOT,
        0,
        max,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  static ClusterSpec cluster(PoolSpec pool) {
    return ClusterBuilder.named("lab").bucket("gs://lab").pools(pool).build();
  }

  TourWorld apply(ClusterSpec cluster) {
    world.users().publish(new UserCommand.ApplyCluster(cluster, Optional.empty(), false));
    return this;
  }

  TourWorld publish(UserCommand command) {
    world.users().publish(command);
    return this;
  }

  TourWorld advance(Duration time) {
    world.advanceTo(now().plus(time));
    return this;
  }

  TourWorld minutes(long minutes) {
    return advance(Duration.ofMinutes(minutes));
  }

  /** Advances until it is so, for twelve hours at most. */
  TourWorld until(BooleanSupplier so) {
    var end = now().plus(Duration.ofHours(12));
    while (!so.getAsBoolean() && world.step(end)) {}
    if (!so.getAsBoolean())
      throw new AssertionError(
          "not so within twelve hours:\n" + String.join("\n", world.trace().last()));
    return this;
  }

  /** Advances until a task of the job runs. */
  TourWorld untilRuns(String job) {
    return until(() ->
        world.truth().running().stream()
            .anyMatch(p -> p.attempt().lease().job().equals(uid(job).orElse(""))));
  }

  TourWorld untilEnded(String job) {
    return until(() -> found(job).filter(it -> it.state().ended()).isPresent());
  }

  private Optional<String> uid(String job) {
    return found(job).map(Job::uid);
  }

  Optional<Job> found(String job) {
    return world.truth().all(Job.class).stream()
        .filter(it -> it.spec().name().equals(job))
        .findFirst();
  }

  /** The machine on which a task runs. */
  SimHost busyHost() {
    return world.hosts().get(world.truth().running().iterator().next().worker());
  }

  Instant now() {
    return world.time().instant();
  }

  StatusQueries queries() {
    return new StatusQueries(world.observer());
  }
}
