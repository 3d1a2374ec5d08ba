package dev.mayfly.sim;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.Worker;
import dev.mayfly.sim.fake.SimMachine;
import java.time.Duration;

/** A machine that no cloud knows: somebody lets it join a static pool, and later takes it out. */
final class OwnMachine {
  private static final String ID = "i-desk";
  private static final String NONCE = "what only the desk knows";

  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final int TRIES = 100;

  private OwnMachine() {}

  static boolean is(SimMachine machine) {
    return machine.id().equals(ID);
  }

  /** Joins the first cluster, if it is there and has a place for it. */
  static void join(World world) {
    for (var cluster : world.truth().all(Cluster.class))
      if (cluster.spec().pool(Extras.OWN_POOL).isPresent() && cluster.phase() == Cluster.Phase.UP)
        join(world, cluster);
  }

  private static void join(World world, Cluster cluster) {
    var sheet =
        new MachineSheet(
            cluster.uid(),
            Extras.OWN_MACHINE,
            Extras.OWN_POOL,
            NONCE,
            "https://workers.example",
            cluster.spec().bucket(),
            cluster.spec().pool(Extras.OWN_POOL).orElseThrow().visible());
    world.trace().seen("join");
    world
        .users()
        .publish(
            new Command.JoinWorker(
                cluster.spec().name(), Extras.OWN_POOL, Extras.OWN_MACHINE, ID, Sha256.of(NONCE)));
    var zone = cluster.spec().pool(Extras.OWN_POOL).orElseThrow().zones().getFirst();
    var machine =
        SimMachine.own(zone, Extras.OWN_MACHINE, ID, sheet.metadata(), world.time().instant());
    var host = new Host(world, machine, 0, 1);
    world.hosts().put(host.name(), host);
    host.boot();
    world.time().after(world.dice().of("desk").seconds(120, 1_200), () -> leave(world, TRIES));
  }

  /** Somebody who sees it takes it out. */
  private static void leave(World world, int tries) {
    var seen =
        world.truth().all(Worker.class).stream().anyMatch(w -> w.name().equals(Extras.OWN_MACHINE));
    if (seen) world.users().publish(new Command.DrainWorker("lab", Extras.OWN_MACHINE));
    else if (tries > 0) world.time().after(AGAIN, () -> leave(world, tries - 1));
  }
}
