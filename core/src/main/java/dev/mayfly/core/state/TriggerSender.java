package dev.mayfly.core.state;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;

/** Sends hints whose loss is made good by the next tick. */
public final class TriggerSender {
  private TriggerSender() {}

  public static void send(TriggerBus triggerBus, Trigger trigger) {
    try {
      triggerBus.send(trigger);
    } catch (UnavailableException ignored) {
      // A hint only makes it quicker: the tick looks at everything anyway.
    }
  }
}
