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
import java.util.Map;

/** Machines that no cloud knows: a user joins them to a static pool and later removes them. */
final class StaticMachine {
  private static final String ID = "i-desk";
  private static final String NONCE = "what only the desk knows";

  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final int MAX_TRIES = 100;

  private final World world;

  StaticMachine(World world) {
    this.world = world;
  }

  static boolean is(SimMachine machine) {
    return machine.id().startsWith(ID);
  }

  /** One joins, and leaves after some minutes. */
  void visit() {
    var name = ScenarioExtras.OWN_MACHINE + suffix();
    join(1);
    if (!world.hosts().containsKey(name)) return;
    world.time().after(world.dice().of("desk").seconds(120, 1_200), () -> leave(name, MAX_TRIES));
  }

  /** So many join the first cluster, if it exists and has a static pool. */
  void join(int machines) {
    for (var cluster : world.truth().all(Cluster.class))
      if (cluster.spec().pool(ScenarioExtras.OWN_POOL).isPresent()
          && cluster.phase() == Cluster.Phase.UP)
        for (var n = 0; n < machines; n++) join(cluster, suffix());
  }

  /** The first machine has none; a name is used once. */
  private String suffix() {
    var used =
        world.hosts().keySet().stream().filter(n -> n.startsWith(ScenarioExtras.OWN_MACHINE));
    var count = used.count();
    return count == 0 ? "" : "-" + (count + 1);
  }

  private void join(Cluster cluster, String suffix) {
    var name = ScenarioExtras.OWN_MACHINE + suffix;
    var pool = cluster.spec().pool(ScenarioExtras.OWN_POOL).orElseThrow();
    var workerInfo =
        new WorkerInfo(
            cluster.uid(),
            name,
            ScenarioExtras.OWN_POOL,
            NONCE,
            "https://workers.example",
            cluster.spec().bucket(),
            pool.visible());
    world.trace().seen("join");
    world
        .users()
        .publish(
            new UserCommand.JoinWorker(
                cluster.spec().name(), pool.name(), name, ID + suffix, Sha256.of(NONCE), Map.of()));
    var machine =
        SimMachine.staticMachine(
            pool.zones().getFirst(),
            name,
            ID + suffix,
            workerInfo.metadata(),
            world.time().instant());
    var simHost = new SimHost(world, machine, 0, 1);
    world.hosts().put(simHost.name(), simHost);
    simHost.boot();
  }

  /**
   * A user removes it once it is listed, from the cluster that lists it: one that was taken down
   * may be up again under another name.
   */
  private void leave(String name, int tries) {
    var listed =
        world.truth().all(Worker.class).stream().filter(w -> w.name().equals(name)).toList();
    if (!listed.isEmpty())
      world.users().publish(new UserCommand.DrainWorker(cluster(listed), name));
    else if (tries > 0) world.time().after(AGAIN, () -> leave(name, tries - 1));
  }

  private String cluster(List<Worker> listed) {
    return listed.stream()
        .filter(w -> !(w.state() instanceof WorkerState.Gone))
        .flatMap(w -> world.truth().cluster(w.cluster()).stream())
        .map(c -> c.spec().name())
        .findFirst()
        .orElse("lab");
  }
}
