package dev.mayfly.agent.machine;

import dev.mayfly.core.model.sync.MachineUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Measures how busy the machine's processors are and how full its memory is, every half minute: of
 * processors the mean since the last look.
 */
public final class MachineUseWatch implements Runnable {
  private static final Duration EVERY = Duration.ofSeconds(30);
  private static final long KIB = 1024;

  /** In {@code cpu user nice system idle iowait irq softirq steal …}. */
  private static final int IDLE = 4;

  private static final int IO_WAIT = 5;
  private static final int LAST = 8;

  private final Path proc;
  private final Consumer<MachineUse> measured;
  private Optional<Times> before = Optional.empty();

  private record Times(long busy, long all) {}

  /**
   * @param proc the kernel's folder
   * @param measured receives each measurement but the first look
   */
  public MachineUseWatch(Path proc, Consumer<MachineUse> measured) {
    this.proc = proc;
    this.measured = measured;
  }

  @Override
  public void run() {
    try {
      while (true) {
        measure();
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void measure() {
    try {
      var now = times();
      var was = before;
      before = Optional.of(now);
      if (was.isEmpty() || now.all <= was.get().all) return;
      var busy = 100.0 * (now.busy - was.get().busy) / (now.all - was.get().all);
      var memory = memory();
      var all = memory.getOrDefault("MemTotal:", 0L);
      var free = memory.get("MemAvailable:");
      if (all == 0 || free == null) return;
      measured.accept(new MachineUse(Math.clamp(Math.round(busy), 0, 100), all - free, all));
    } catch (IOException notLinux) {
      // Nothing is told, which is shown as nothing known.
      before = Optional.empty();
    }
  }

  private Times times() throws IOException {
    try (var lines = Files.lines(proc.resolve("stat"))) {
      var words =
          lines.filter(line -> line.startsWith("cpu ")).findFirst().orElse("cpu").split("\\s+");
      long idle = 0;
      long all = 0;
      for (var i = 1; i < words.length && i <= LAST; i++) {
        var ticks = Long.parseLong(words[i]);
        all += ticks;
        if (i == IDLE || i == IO_WAIT) idle += ticks;
      }
      return new Times(all - idle, all);
    }
  }

  private Map<String, Long> memory() throws IOException {
    var bytes = new HashMap<String, Long>();
    try (var lines = Files.lines(proc.resolve("meminfo"))) {
      lines
          .map(line -> line.split("\\s+"))
          .filter(words -> words.length > 1)
          .forEach(words -> bytes.put(words[0], Long.parseLong(words[1]) * KIB));
    }
    return bytes;
  }
}
