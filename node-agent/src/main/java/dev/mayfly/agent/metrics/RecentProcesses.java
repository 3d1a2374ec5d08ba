package dev.mayfly.agent.metrics;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The machine's processes as they were a second ago at most: to read all of them takes longer than
 * a short task. Thread-safe.
 */
final class RecentProcesses {
  private static final long FRESH_NANOS = 1_000_000_000;

  private final Path proc;
  private Optional<MachineProcesses> last = Optional.empty();
  private long readAt;

  /**
   * @param proc the kernel's folder of processes
   */
  RecentProcesses(Path proc) {
    this.proc = proc;
  }

  /**
   * @param now as {@link System#nanoTime}
   */
  synchronized MachineProcesses at(long now) {
    if (last.isEmpty() || now - readAt > FRESH_NANOS) {
      last = Optional.of(new MachineProcesses(proc));
      readAt = now;
    }
    return last.get();
  }
}
