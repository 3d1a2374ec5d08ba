package dev.mayfly.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * For a machine that cannot enforce a task's limits. It still reports, from the kernel's counter,
 * whether the OOM killer ended anything on the machine while the task ran.
 */
final class NoLimits implements ResourceLimits {
  private static final long FRESH_NANOS = 1_000_000_000;

  /** Shared, so that short tasks share its count. */
  static final NoLimits COUNTING = new NoLimits("", Path.of("/proc"));

  private final String reason;
  private final Path proc;
  private long count;
  private long readAt;
  private boolean read;

  NoLimits(String reason, Path proc) {
    this.reason = reason;
    this.proc = proc;
  }

  @Override
  public Optional<String> unenforcedReason() {
    return Optional.of("limits of CPU, memory and processes: " + reason);
  }

  @Override
  public Bounds bounds(String attempt, long cpuMillis, long memoryBytes) {
    long before = recentOomKills();
    return new Bounds() {
      @Override
      public Optional<Path> entrance() {
        return Optional.empty();
      }

      @Override
      public boolean ranOutOfMemory() {
        return oomKills() > before;
      }

      @Override
      public void kill() {}

      @Override
      public void close() {}
    };
  }

  /** Reuses a count up to a second old: the file is long, and short tasks are many. */
  private synchronized long recentOomKills() {
    long now = System.nanoTime();
    if (!read || now - readAt > FRESH_NANOS) {
      count = oomKills();
      readAt = now;
      read = true;
    }
    return count;
  }

  private long oomKills() {
    try (var lines = Files.lines(proc.resolve("vmstat"))) {
      return lines
          .filter(line -> line.startsWith("oom_kill "))
          .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length()).strip()))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
