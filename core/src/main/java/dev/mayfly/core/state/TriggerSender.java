package dev.mayfly.core.state;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;

/** Sends triggers whose loss the next tick makes good. */
public final class TriggerSender {
  private TriggerSender() {}

  public static void send(TriggerBus triggerBus, Trigger trigger) {
    try {
      triggerBus.send(trigger);
    } catch (UnavailableException ignored) {
      // A trigger only saves time: the tick checks everything.
    }
  }
}
