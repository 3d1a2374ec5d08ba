package dev.mayfly.sim.world;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.sim.control.ControlPlaneEntry;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fake.UsageCounter;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Routes calls and messages to function instances, and replaces each instance that died. */
public final class InstanceRouter {
  private static final int MAX_TRIES = 30;

  /**
   * A message in delivery.
   *
   * @param function its receiver
   */
  record Delivery(
      String function, String what, Function<ControlPlaneEntry, ReconcileResult> work) {}

  private final World world;
  private final ControlPlaneEntry.Maker maker;
  private final SimRandom simRandom;
  private final int size;
  private final AuditLog log;
  private final List<FunctionInstance> functionInstances = new ArrayList<>();
  private int number;

  InstanceRouter(World world, ControlPlaneEntry.Maker maker, int size) {
    this.world = world;
    this.maker = maker;
    this.size = size;
    simRandom = world.dice().of("gateway");
    log = new AuditLog(world);
  }

  void fill() {
    while (world.skies().control && functionInstances.size() < size)
      functionInstances.add(
          new FunctionInstance(world, "f" + ++number, size > 1 && number % 2 == 0, maker));
  }

  public AuditLog log() {
    return log;
  }

  /** An instance that can accept a call now. */
  public Optional<FunctionInstance> any() {
    return functionInstances.isEmpty()
        ? Optional.empty()
        : Optional.of(simRandom.pick(functionInstances));
  }

  void died(FunctionInstance functionInstance) {
    if (!functionInstances.remove(functionInstance)) return;
    world.trace().add(functionInstance.name() + " died");
    world.time().after(simRandom.millis(300, 8_000), this::fill);
  }

  /** Stalls an instance for a while, with its open calls; it still receives new ones. */
  public void stall(FunctionInstance functionInstance, Duration time) {
    functionInstance.freeze();
    world.time().after(time, functionInstance::resume);
  }

  public List<FunctionInstance> instances() {
    return List.copyOf(functionInstances);
  }

  public void killOne() {
    any()
        .ifPresent(i -> {
          world.weather().recordStrike(Fault.INSTANCE_KILLED, i.name());
          i.kill();
          died(i);
        });
  }

  /** Takes the whole control plane away until {@link #startAll}. */
  public void stopAll() {
    world.skies().control = false;
    for (var functionInstance : List.copyOf(functionInstances)) functionInstance.kill();
    functionInstances.clear();
  }

  public void startAll() {
    world.skies().control = true;
    fill();
  }

  void deliver(UserMessage userMessage) {
    var what = "message " + userMessage.id();
    var name = userMessage.topic().carries().name().toLowerCase(Locale.ROOT);
    deliver(
        new Delivery(
            name, what, done(p -> p.receive(world.bugs().incomingMessage(userMessage, world)))),
        Integer.MAX_VALUE);
  }

  /**
   * One message of the topic of ticks, to the function that it is for. The topic's other function
   * gets it too, and leaves it.
   */
  public void deliver(Trigger trigger) {
    run(trigger);
    world.tally().left(trigger instanceof Trigger.CollectOrphans ? "autoscale" : "cleanup");
  }

  /** The message of each minute, which means something to both functions. */
  public void deliverTick() {
    world.tally().add(UsageCounter.Kind.PUBLISHED, 1);
    run(new Trigger.Tick());
    run(new Trigger.CollectOrphans());
  }

  /** The message of each hour, from the schedule that is never paused. */
  public void deliverSweep() {
    world.tally().add(UsageCounter.Kind.PUBLISHED, 1);
    deliver(new Trigger.CollectOrphans());
  }

  private void run(Trigger trigger) {
    deliver(
        new Delivery(
            trigger instanceof Trigger.CollectOrphans ? "cleanup" : "autoscale",
            trigger.toString(),
            p -> p.receive(trigger)),
        MAX_TRIES);
  }

  void deliver(MachineEvent event) {
    deliver(new Delivery("vm-events", "event " + event, done(p -> p.receive(event))), MAX_TRIES);
  }

  /** A call that leaves nothing for later. */
  private static Function<ControlPlaneEntry, ReconcileResult> done(
      Consumer<ControlPlaneEntry> work) {
    return plane -> {
      work.accept(plane);
      return new ReconcileResult(List.of(), Optional.empty());
    };
  }

  private void deliver(Delivery delivery, int tries) {
    if (tries == 0) return;
    world.tally().add(UsageCounter.Kind.DELIVERED, 1);
    Runnable again = () -> deliver(delivery, tries - 1);
    any()
        .ifPresentOrElse(
            i -> i.deliver(delivery, again),
            () -> world.time().after(Duration.ofSeconds(10), () -> deliver(delivery, tries)));
  }
}
