package dev.mayfly.agent.process.kill;

import java.util.concurrent.TimeUnit;

/** Waits for real processes by the JDK's handle, with a time limit. */
public final class ProcessAwait {
  private ProcessAwait() {}

  /** Whether the process ended within 20 seconds. */
  public static boolean gone(long pid) throws Exception {
    var handle = ProcessHandle.of(pid);
    if (handle.isEmpty() || zombie(pid)) {
      return true;
    }
    handle.get().onExit().get(20, TimeUnit.SECONDS);
    return true;
  }

  private static boolean zombie(long pid) {
    return new ProcessTable().find((int) pid).map(ProcessTable.Entry::zombie).orElse(true);
  }
}
