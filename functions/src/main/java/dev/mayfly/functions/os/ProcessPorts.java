package dev.mayfly.functions.os;

import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.IdGenerator;
import java.time.InstantSource;

/** Creates the ports that depend only on their process. */
public final class ProcessPorts {
  private ProcessPorts() {}

  /** Alarms that work as long as this process lives and has CPU. */
  public static Alarms alarms(InstantSource clock) {
    return new ThreadAlarms(clock, false);
  }

  /** Alarms for a process that may have CPU only during calls. */
  public static Alarms alarmsDuringCalls(InstantSource clock) {
    return new ThreadAlarms(clock, true);
  }

  public static IdGenerator ids() {
    return new RandomIdGenerator();
  }
}
