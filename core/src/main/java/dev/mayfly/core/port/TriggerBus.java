package dev.mayfly.core.port;

import dev.mayfly.core.model.message.Trigger;

/**
 * Sends triggers to Mayfly's own functions. A trigger may be lost, duplicated or late, and nothing
 * may depend on it.
 */
public interface TriggerBus {
  /** Throws {@link dev.mayfly.core.error.UnavailableException}; the sender continues without it. */
  void send(Trigger trigger);
}
