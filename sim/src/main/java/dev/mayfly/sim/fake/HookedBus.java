package dev.mayfly.sim.fake;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Bus;

/** The bus as one process sees it. */
public final class HookedBus implements Bus {
  private final Bus bus;
  private final Hook hook;

  public HookedBus(Bus bus, Hook hook) {
    this.bus = bus;
    this.hook = hook;
  }

  @Override
  public void send(Hint hint) {
    hook.before("bus.send");
    bus.send(hint);
    hook.after("bus.send");
  }
}
