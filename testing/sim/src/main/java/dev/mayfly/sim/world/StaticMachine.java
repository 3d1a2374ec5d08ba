package dev.mayfly.sim.world;

import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.WorkerInfo;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.scenario.ScenarioExtras;
import java.time.Duration;
import java.util.List;

/** A machine that no cloud knows: a user joins it to a static pool and later removes it. */
final class StaticMachine {
  private static final String ID = "i-desk";
  private static final String NONCE = "what only the desk knows";

  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final int MAX_TRIES = 100;

  private StaticMachine() {}

  static boolean is(SimMachine machine) {
    return machine.id().equals(ID);
  }

  /** Joins the first cluster, if it exists and its static pool has room. */
  static void join(World world) {
    for (var cluster : world.truth().all(Cluster.class))
      if (cluster.spec().pool(ScenarioExtras.OWN_POOL).isPresent()
          && cluster.phase() == Cluster.Phase.UP) join(world, cluster);
  }

  private static void join(World world, Cluster cluster) {
    var sheet =
        new WorkerInfo(
            cluster.uid(),
            ScenarioExtras.OWN_MACHINE,
            ScenarioExtras.OWN_POOL,
            NONCE,
            "https://workers.example",
            cluster.spec().bucket(),
            cluster.spec().pool(ScenarioExtras.OWN_POOL).orElseThrow().visible());
    world.trace().seen("join");
    world
        .users()
        .publish(
            new UserCommand.JoinWorker(
                cluster.spec().name(),
                ScenarioExtras.OWN_POOL,
                ScenarioExtras.OWN_MACHINE,
                ID,
                Sha256.of(NONCE)));
    var zone = cluster.spec().pool(ScenarioExtras.OWN_POOL).orElseThrow().zones().getFirst();
    var machine =
        SimMachine.staticMachine(
            zone, ScenarioExtras.OWN_MACHINE, ID, sheet.metadata(), world.time().instant());
    var simHost = new SimHost(world, machine, 0, 1);
    world.hosts().put(simHost.name(), simHost);
    simHost.boot();
    world.time().after(world.dice().of("desk").seconds(120, 1_200), () -> leave(world, MAX_TRIES));
  }

  /**
   * A user removes it once it is listed, from the cluster that lists it: one that was taken down
   * may be up again under another name.
   */
  private static void leave(World world, int tries) {
    var listed =
        world.truth().all(Worker.class).stream()
            .filter(w -> w.name().equals(ScenarioExtras.OWN_MACHINE))
            .toList();
    if (!listed.isEmpty())
      world
          .users()
          .publish(new UserCommand.DrainWorker(cluster(world, listed), ScenarioExtras.OWN_MACHINE));
    else if (tries > 0) world.time().after(AGAIN, () -> leave(world, tries - 1));
  }

  private static String cluster(World world, List<Worker> listed) {
    return listed.stream()
        .filter(w -> !(w.state() instanceof WorkerState.Gone))
        .flatMap(w -> world.truth().cluster(w.cluster()).stream())
        .map(c -> c.spec().name())
        .findFirst()
        .orElse("lab");
  }
}
