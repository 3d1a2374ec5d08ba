package dev.mayfly.agent.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the machine's CPUs and memory, and what its driver lists of GPUs. */
public final class MachineHardware {
  private MachineHardware() {}

  /**
   * One GPU as its driver lists it.
   *
   * @param memoryMib its memory
   */
  public record Gpu(int index, String uuid, String name, long memoryMib) {}

  /** The number of CPUs that this process may use. */
  public static int cpus() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The machine's memory in bytes; 0 if it cannot be read. */
  public static long memory(Path proc) {
    try (var lines = Files.lines(proc.resolve("meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemTotal:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  /** Parses {@code index, uuid, name, MiB} lines; skips other lines, which broken GPUs print. */
  static List<Gpu> parse(String text) {
    return text.lines()
        .map(line -> line.split("\\s*,\\s*"))
        .filter(f -> f.length == 4 && f[0].matches("\\d+") && f[3].strip().matches("\\d+"))
        .map(f -> new Gpu(Integer.parseInt(f[0]), f[1], f[2], Long.parseLong(f[3].strip())))
        .toList();
  }
}
