package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * I6: no machine outlives its worker by more than 15 minutes of unhindered cleanup: the grace for
 * machines without a document, two ticks, and a slow delete that is requested twice. Nor by more
 * than N in any case: while ticks are paused, cleanup runs hourly.
 */
final class NoOrphans implements Invariant {
  private static final String ID = "I6";
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final GroundTruth groundTruth;
  private final Duration allowed;
  private static final int MINUTES = 15;

  private final BooleanSupplier hindered;
  private final TreeMap<String, Instant> ownerless = new TreeMap<>();
  private final TreeMap<String, Integer> minutes = new TreeMap<>();
  private Instant next = Instant.EPOCH;

  NoOrphans(GroundTruth groundTruth, Duration allowed, BooleanSupplier hindered) {
    this.hindered = hindered;
    this.groundTruth = groundTruth;
    this.allowed = allowed;
  }

  @Override
  public void step() {
    if (groundTruth.now().isBefore(next)) return;
    next = groundTruth.now().plus(EVERY);
    var counts = !hindered.getAsBoolean();
    for (var machine : groundTruth.fleet().machines())
      if (!machine.foreign()) look(machine, counts);
  }

  private void look(SimMachine machine, boolean counts) {
    var owner = owner(machine);
    var cluster = machine.labels().getOrDefault(CloudMachine.CLUSTER, "");
    if (owner.filter(w -> wanted(w.state())).isPresent() || groundTruth.disturbed(cluster, EVERY)) {
      ownerless.remove(machine.id());
      minutes.remove(machine.id());
      return;
    }
    var since = ownerless.computeIfAbsent(machine.id(), id -> groundTruth.now());
    var unhindered = minutes.merge(machine.id(), counts ? 1 : 0, Integer::sum);
    if (unhindered > MINUTES || since.plus(allowed).isBefore(groundTruth.now()))
      throw new InvariantViolation(
          ID,
          "%s is still there %s after its owner's end, %d minutes of which nothing hindered (%s)"
              .formatted(
                  machine,
                  Duration.between(since, groundTruth.now()),
                  unhindered,
                  owner.map(w -> w.state().toString())));
  }

  private Optional<Worker> owner(SimMachine machine) {
    return groundTruth.worker(
        machine.labels().getOrDefault(CloudMachine.CLUSTER, ""),
        machine.labels().getOrDefault(CloudMachine.WORKER, ""));
  }

  private static boolean wanted(WorkerState state) {
    return switch (state) {
      case WorkerState.Launching _,
          WorkerState.Booting _,
          WorkerState.Ready _,
          WorkerState.Draining _ ->
          true;
      case WorkerState.Drained _, WorkerState.Lost _, WorkerState.Gone _ -> false;
    };
  }

  @Override
  public void atRest() {
    for (var machine : groundTruth.fleet().machines())
      if (!machine.foreign() && owner(machine).filter(w -> w.state().live()).isEmpty())
        throw new InvariantViolation(ID, machine + " is left behind");
  }
}
