package dev.mayfly.sim.fake;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.sim.fault.PortHook;

/** The bus as one process sees it. */
public final class HookedTriggerBus implements TriggerBus {
  private final TriggerBus triggerBus;
  private final PortHook portHook;

  public HookedTriggerBus(TriggerBus triggerBus, PortHook portHook) {
    this.triggerBus = triggerBus;
    this.portHook = portHook;
  }

  @Override
  public void send(Trigger trigger) {
    portHook.before("bus.send");
    triggerBus.send(trigger);
    portHook.after("bus.send");
  }
}
