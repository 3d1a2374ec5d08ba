package dev.mayfly.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * For a machine that cannot hold a task to its limits. It still tells, from the kernel's own count,
 * whether anything on the machine was ended for want of memory while the task ran.
 */
final class NoLimits implements ResourceLimits {
  private static final long FRESH_NANOS = 1_000_000_000;

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
    return Optional.of("limits of CPU and memory: " + reason);
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

  /** The file is long, and short tasks are many: a count of a second ago will do. */
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
