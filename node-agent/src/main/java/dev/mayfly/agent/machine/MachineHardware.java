package dev.mayfly.agent.machine;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads the machine's CPUs, memory and GPUs. */
public final class MachineHardware {
  private static final List<String> QUERY =
      List.of(
          "nvidia-smi",
          "--query-gpu=index,uuid,name,memory.total",
          "--format=csv,noheader,nounits");
  private static final int SECONDS = 20;

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

  /** The machine's GPUs; none if there is no driver or if it hangs. */
  public static List<Gpu> gpus() {
    try {
      // It stays in the agent's session, by which killing leftover processes spares it.
      var query = new ProcessBuilder(QUERY).redirectError(Redirect.DISCARD).start();
      if (!query.waitFor(SECONDS, TimeUnit.SECONDS)) {
        query.destroyForcibly();
        return List.of();
      }
      var text = new String(query.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return query.exitValue() == 0 ? parse(text) : List.of();
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
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
