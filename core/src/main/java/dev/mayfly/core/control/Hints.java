package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Bus;

/** Sends hints whose loss is made good by the next tick. */
final class Hints {
  private Hints() {}

  static void send(Bus bus, Hint hint) {
    try {
      bus.send(hint);
    } catch (Unavailable ignored) {
      // A hint only makes it quicker: the tick looks at everything anyway.
    }
  }
}
