package dev.mayfly.sim;

import dev.mayfly.core.control.Looked;
import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Message;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Brings calls and messages to a function instance, and makes a new one for each that died. */
final class Gateway {
  private static final int TRIES = 30;

  /**
   * A message on its way.
   *
   * @param function the one that takes it
   */
  record Delivery(String function, String what, Function<ControlPlane, Looked> work) {}

  private final World world;
  private final ControlPlane.Maker maker;
  private final Dice dice;
  private final int size;
  private final AuditLog log;
  private final List<Instance> instances = new ArrayList<>();
  private int number;

  Gateway(World world, ControlPlane.Maker maker, int size) {
    this.world = world;
    this.maker = maker;
    this.size = size;
    dice = world.dice().of("gateway");
    log = new AuditLog(world);
  }

  void fill() {
    while (world.skies().control && instances.size() < size)
      instances.add(new Instance(world, "f" + ++number, size > 1 && number % 2 == 0, maker));
  }

  AuditLog log() {
    return log;
  }

  /** One that can take a call now. */
  Optional<Instance> any() {
    return instances.isEmpty() ? Optional.empty() : Optional.of(dice.pick(instances));
  }

  void died(Instance instance) {
    if (!instances.remove(instance)) return;
    world.trace().add(instance.name() + " died");
    world.time().after(dice.millis(300, 8_000), this::fill);
  }

  /**
   * One of them stands still for a while, with all calls that it keeps; calls go on coming to it.
   */
  void stall(Instance instance, Duration time) {
    instance.freeze();
    world.time().after(time, instance::resume);
  }

  List<Instance> instances() {
    return List.copyOf(instances);
  }

  void killOne() {
    any()
        .ifPresent(i -> {
          world.weather().noted(Fault.INSTANCE_KILLED, i.name());
          i.kill();
          died(i);
        });
  }

  /** The whole control plane goes away: nothing answers until {@link #comeBack}. */
  void goAway() {
    world.skies().control = false;
    for (var instance : List.copyOf(instances)) instance.kill();
    instances.clear();
  }

  void comeBack() {
    world.skies().control = true;
    fill();
  }

  void deliver(Message message) {
    var what = "message " + message.id();
    var name = message.topic().name().toLowerCase(Locale.ROOT);
    deliver(
        new Delivery(name, what, done(p -> p.receive(world.bugs().received(message, world)))),
        Integer.MAX_VALUE);
  }

  void deliver(Hint hint) {
    deliver(
        new Delivery(
            hint instanceof Hint.Sweep ? "cleanup" : "autoscale",
            hint.toString(),
            p -> p.receive(hint)),
        TRIES);
  }

  void deliver(MachineEvent event) {
    deliver(new Delivery("vm-events", "event " + event, done(p -> p.receive(event))), TRIES);
  }

  /** Such a call leaves nothing for later. */
  private static Function<ControlPlane, Looked> done(Consumer<ControlPlane> work) {
    return plane -> {
      work.accept(plane);
      return new Looked(List.of(), Optional.empty());
    };
  }

  private void deliver(Delivery delivery, int tries) {
    if (tries == 0) return;
    world.tally().add(Tally.Kind.DELIVERED, 1);
    Runnable again = () -> deliver(delivery, tries - 1);
    any()
        .ifPresentOrElse(
            i -> i.deliver(delivery, again),
            () -> world.time().after(Duration.ofSeconds(10), () -> deliver(delivery, tries)));
  }
}
