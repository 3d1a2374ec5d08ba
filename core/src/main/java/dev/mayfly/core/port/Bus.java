package dev.mayfly.core.port;

import dev.mayfly.core.model.Hint;

/**
 * Sends hints to Mayfly's own functions. A hint may be lost, doubled or late, and nothing may
 * depend on it.
 */
public interface Bus {
  /** Throws {@link dev.mayfly.core.error.Unavailable}; the sender goes on without it. */
  void send(Hint hint);
}
