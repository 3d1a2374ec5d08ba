package dev.mayfly.sim.fake;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fault.FaultInjector;
import java.time.Duration;
import java.util.function.Consumer;

/** Delivers triggers after a delay: once, twice, late and therefore out of order, or never. */
public final class SimTriggerBus implements TriggerBus {
  private final SimTime time;
  private final SimRandom simRandom;
  private final FaultInjector faultInjector;
  private final Consumer<Trigger> receiver;

  public SimTriggerBus(
      SimTime time, SimRandom simRandom, FaultInjector faultInjector, Consumer<Trigger> receiver) {
    this.time = time;
    this.simRandom = simRandom;
    this.faultInjector = faultInjector;
    this.receiver = receiver;
  }

  @Override
  public void send(Trigger trigger) {
    if (faultInjector.strikes(Fault.BUS_LOSE)) return;
    deliver(trigger);
    if (faultInjector.strikes(Fault.BUS_DUPLICATE)) deliver(trigger);
  }

  private void deliver(Trigger trigger) {
    var delay =
        faultInjector.strikes(Fault.BUS_LATE)
            ? faultInjector.dice(Fault.BUS_LATE).seconds(1, 300)
            : Duration.ofMillis(simRandom.between(5, 60));
    time.after(delay, () -> receiver.accept(trigger));
  }
}
