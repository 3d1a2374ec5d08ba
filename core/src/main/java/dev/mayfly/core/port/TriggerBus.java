package dev.mayfly.core.port;

import dev.mayfly.core.model.message.Trigger;

/**
 * Sends hints to Mayfly's own functions. A hint may be lost, doubled or late, and nothing may
 * depend on it.
 */
public interface TriggerBus {
  /** Throws {@link dev.mayfly.core.error.UnavailableException}; the sender goes on without it. */
  void send(Trigger trigger);
}
