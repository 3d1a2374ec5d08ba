package dev.mayfly.functions.os;

import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.IdGenerator;
import java.time.InstantSource;

/** Makes the ports that need nothing but the process that they are in. */
public final class ProcessPorts {
  private ProcessPorts() {}

  /** They ring as long as this process lives and has a processor. */
  public static Alarms alarms(InstantSource clock) {
    return new ThreadAlarms(clock, false);
  }

  /** The same in a process that may have a processor only while it is called. */
  public static Alarms alarmsDuringCalls(InstantSource clock) {
    return new ThreadAlarms(clock, true);
  }

  public static IdGenerator ids() {
    return new RandomIdGenerator();
  }
}
