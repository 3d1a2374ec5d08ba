package dev.mayfly.agent.machine;

import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.core.model.sync.GpuUse;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks NVIDIA's driver by its program {@code nvidia-smi}, in bounded time. A machine without the
 * program, and one whose driver hangs or fails, shows no GPUs. While a call hangs, no other is
 * made.
 */
public final class GpuDriver {
  private static final String PROGRAM = "nvidia-smi";
  private static final String FORMAT = "--format=csv,noheader,nounits";
  private static final int LARGEST = 1 << 20;

  private final ProgramRunner programs;
  private final Map<String, String> environment;
  private final Duration limit;
  private @Nullable Process hanging;
  private volatile long memory;

  /**
   * @param environment of the program, which is found in its PATH
   * @param limit of one call
   */
  public GpuDriver(Map<String, String> environment, Duration limit) {
    this.programs = new ProgramRunner(environment);
    this.environment = Map.copyOf(environment);
    this.limit = limit;
  }

  /** The machine's GPUs. */
  public List<MachineHardware.Gpu> gpus() {
    var gpus = MachineHardware.parse(ask("index,uuid,name,memory.total"));
    remember(gpus.stream().map(gpu -> gpu.memoryMib() << 20));
    return gpus;
  }

  /** How busy and how full they are; without those of which the driver says nothing now. */
  public List<GpuUse> uses() {
    var uses = GpuUseLines.parse(ask("index,utilization.gpu,memory.used,memory.total"));
    remember(uses.stream().flatMap(use -> use.memory().stream()));
    return uses;
  }

  /** The bytes of the smallest GPU that was ever seen here; empty before one was. */
  public Optional<Long> memory() {
    return Optional.of(memory).filter(bytes -> bytes > 0);
  }

  private void remember(Stream<Long> found) {
    found.filter(bytes -> bytes > 0).min(Long::compare).ifPresent(bytes -> memory = bytes);
  }

  /** The program's lines; empty if there are none to trust. */
  private synchronized String ask(String fields) {
    var program = programs.find(PROGRAM);
    if (program.isEmpty() || (hanging != null && hanging.isAlive())) return "";
    try {
      var output = Files.createTempFile("mayfly", ".gpus");
      try {
        // It stays in the agent's session, by which killing leftover processes spares it.
        var builder =
            new ProcessBuilder(program.get().toString(), "--query-gpu=" + fields, FORMAT)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectError(Redirect.DISCARD)
                .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return answer(builder.start()) ? text(output) : "";
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** Whether it ended well, in time; kills it otherwise, which a driver that hangs may ignore. */
  private boolean answer(Process query) throws InterruptedException {
    var ended = false;
    try {
      ended = query.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      return ended && query.exitValue() == 0;
    } finally {
      if (!ended) {
        query.descendants().forEach(ProcessHandle::destroyForcibly);
        hanging = query.destroyForcibly();
      }
    }
  }

  private static String text(Path output) throws IOException {
    try (var in = Files.newInputStream(output)) {
      return new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
    }
  }
}
