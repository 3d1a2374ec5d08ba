package dev.mayfly.functions.os;

import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.core.port.ScheduledExecutor;
import java.time.InstantSource;

/** Creates the ports that depend only on their process. */
public final class ProcessPorts {
  private ProcessPorts() {}

  /** Works as long as this process lives and has CPU. */
  public static ScheduledExecutor executor(InstantSource clock) {
    return new ThreadExecutor(clock, false);
  }

  /** For a process that may have CPU only during calls. */
  public static ScheduledExecutor executorDuringCalls(InstantSource clock) {
    return new ThreadExecutor(clock, true);
  }

  public static IdGenerator ids() {
    return new RandomIdGenerator();
  }
}
