package dev.mayfly.sim.world;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.scenario.Scenario;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/**
 * Somebody looks at a machine, or at a pool: cordons it for a while, and often forgets to end that.
 *
 * <p>Its randomness is separate, so that other worlds are the same without it.
 */
final class CordonActions {
  private static final String CLUSTER = "lab";

  private final World world;
  private final UserActions userActions;
  private final SimRandom simRandom;
  private int awaited;

  CordonActions(World world, UserActions userActions) {
    this.world = world;
    this.userActions = userActions;
    simRandom = world.dice().of("cordons");
  }

  /** Whether an action is pending. */
  boolean awaited() {
    return awaited > 0;
  }

  void plan(Scenario scenario) {
    if (!simRandom.chance(0.25)) return;
    var at = scenario.storm().multipliedBy(simRandom.between(5, 90)).dividedBy(100);
    var lasts = simRandom.seconds(120, 1_500);
    var ends = simRandom.chance(0.4);
    var early = simRandom.seconds(30, 600);
    var pool = simRandom.chance(0.3);
    after(
        at,
        () ->
            (pool ? Optional.of(scenario.cluster().pools().getFirst().name()) : busiest())
                .ifPresent(name -> {
                  if (!userActions.clusterExists(CLUSTER)) return;
                  world.trace().seen(pool ? "a pool cordoned" : "a worker cordoned");
                  userActions.publish(new UserCommand.Cordon(CLUSTER, name, lasts));
                  if (ends)
                    after(
                        early, () -> userActions.publish(new UserCommand.Uncordon(CLUSTER, name)));
                }));
  }

  private void after(Duration delay, Runnable act) {
    awaited++;
    world
        .time()
        .after(
            delay,
            () -> {
              awaited--;
              if (!userActions.going()) act.run();
            });
  }

  private Optional<String> busiest() {
    return world.truth().all(Worker.class).stream()
        .filter(w -> w.name().startsWith("lab-") && w.state() instanceof WorkerState.Ready)
        .max(Comparator.<Worker>comparingInt(w -> w.held().size()).thenComparing(Worker::name))
        .map(Worker::name);
  }
}
