package dev.mayfly.sim.experiment;

import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.world.SimHost;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the cloud does in an experiment, and whom people drain. */
final class WorldEvents {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final double MINUTES_PER_HOUR = 60;

  private final World world;
  private final Experiment experiment;
  private final List<MachinePlace> places;
  private final SimRandom preemptions;
  private final Set<String> preempted = new HashSet<>();

  WorldEvents(World world, Experiment experiment, List<MachinePlace> places, long seed) {
    this.world = world;
    this.experiment = experiment;
    this.places = places;
    preemptions = new SimRandom(seed).of("preemptions");
  }

  /** Whether the cloud took the machine back. */
  boolean isPreempted(SimMachine machine) {
    return preempted.contains(machine.id());
  }

  /** Plans what happens at certain times. */
  void plan() {
    places.forEach(place ->
        experiment
            .stock(place.pool(), place.zone())
            .forEach(stock -> world.time().after(stock.at(), () -> change(place, stock))));
    places.forEach(place ->
        experiment
            .losses(place.pool(), place.zone())
            .forEach(loss -> world.time().after(loss.at(), () -> lose(place, loss))));
    for (var quota : experiment.events().quotas())
      world.time().after(quota.at(), () -> allow(quota));
    for (var drain : experiment.events().drains())
      world.time().after(drain.at(), () -> drain(drain));
  }

  private void change(MachinePlace place, ZoneConditions.Stock stock) {
    world.fleet().capacity(place.pool().name(), place.zone(), stock.machines());
  }

  private void allow(Experiment.Quota quota) {
    var there =
        world.fleet().machines().stream()
            .filter(m -> StorageLocation.region(m.name().zone()).equals(quota.region()))
            .count();
    world.fleet().quota(quota.region(), quota.machines() - (int) there);
  }

  private void drain(Experiment.Drain drain) {
    world.truth().all(Worker.class).stream()
        .filter(w -> w.pool().equals(drain.pool()) && w.state() instanceof WorkerState.Ready)
        .sorted(
            Comparator.comparing((Worker w) -> w.held().size(), Comparator.reverseOrder())
                .thenComparing(Worker::name))
        .limit(drain.workers())
        .forEach(w ->
            world
                .users()
                .publish(new UserCommand.DrainWorker(experiment.cluster().name(), w.name())));
  }

  private void lose(MachinePlace place, ZoneConditions.Loss loss) {
    world.powered().stream()
        .map(SimHost::machine)
        .distinct()
        .filter(machine -> place.has(machine) && !preempted.contains(machine.id()))
        .sorted(
            Comparator.comparing(SimMachine::createdAt)
                .thenComparing(machine -> machine.name().name()))
        .limit(loss.machines())
        .forEach(machine -> preempt(machine, loss.notice()));
  }

  private void preempt(SimMachine machine, boolean notice) {
    preempted.add(machine.id());
    world.fleet().preempt(machine, notice, Duration.ofSeconds(1), false);
  }

  /** Takes machines back, each minute as often as makes the part of an hour. */
  void preemptLater() {
    world.time().after(MINUTE, this::preemptLater);
    for (var host : world.powered()) {
      var machine = host.machine();
      place(machine)
          .filter(it -> it.pool().provisioning() == Provisioning.SPOT)
          .filter(it -> !preempted.contains(machine.id()))
          .filter(it -> preemptions.chance(perMinute(it)))
          .ifPresent(_ -> preempt(machine, true));
    }
  }

  private double perMinute(MachinePlace place) {
    var stay = 1 - experiment.preemptedPerHour(place.pool(), place.zone());
    return 1 - Math.pow(stay, 1 / MINUTES_PER_HOUR);
  }

  private Optional<MachinePlace> place(SimMachine machine) {
    return places.stream().filter(it -> it.has(machine)).findFirst();
  }
}
