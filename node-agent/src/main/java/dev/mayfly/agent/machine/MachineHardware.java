package dev.mayfly.agent.machine;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What the machine has. */
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

  /** The processors that this process may use. */
  public static int cpus() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The machine's memory in bytes; 0 where it cannot be read. */
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

  /** The machine's GPUs; none where there is no driver, or where it hangs. */
  public static List<Gpu> gpus() {
    try {
      // It stays in the agent's own session: the kill of left processes knows it by that.
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

  /** Reads {@code index, uuid, name, MiB} lines; a line of another shape is a broken GPU's. */
  static List<Gpu> parse(String text) {
    return text.lines()
        .map(line -> line.split("\\s*,\\s*"))
        .filter(f -> f.length == 4 && f[0].matches("\\d+") && f[3].strip().matches("\\d+"))
        .map(f -> new Gpu(Integer.parseInt(f[0]), f[1], f[2], Long.parseLong(f[3].strip())))
        .toList();
  }
}
