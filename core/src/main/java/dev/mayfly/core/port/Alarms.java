package dev.mayfly.core.port;

import java.time.Instant;

/** Calls back later. Alarms do not survive their process: nothing may depend on one. */
public interface Alarms {
  void at(Instant when, Runnable task);
}
