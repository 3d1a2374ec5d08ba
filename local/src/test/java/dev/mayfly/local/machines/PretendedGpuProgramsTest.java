package dev.mayfly.local.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of a machine that pretends to have GPUs, as real processes. */
@Timeout(60)
class PretendedGpuProgramsTest {
  private static final String USES = "--query-gpu=index,utilization.gpu,memory.used,memory.total";

  @TempDir Path home;
  private final String id = UUID.randomUUID().toString();
  private final List<Process> tasks = new ArrayList<>();
  private Path bin = Path.of("/nowhere");

  @BeforeEach
  void install() throws IOException {
    var gpu = new FakeGpu("NVIDIA L4", 23_034);
    var spec =
        new VmSpec(
            id,
            "w",
            "z",
            "p",
            "g2-standard-24",
            24,
            1,
            "a@p",
            true,
            "127.0.0.1",
            Map.of(),
            List.of(gpu, gpu));
    bin = PretendedGpuPrograms.install(spec, home).orElseThrow();
  }

  @AfterEach
  void end() {
    tasks.forEach(Process::destroyForcibly);
  }

  private String run(String program, String... arguments) throws Exception {
    var argv = new ArrayList<>(List.of(bin.resolve(program).toString()));
    argv.addAll(List.of(arguments));
    var builder = new ProcessBuilder(argv).redirectErrorStream(true);
    builder.environment().put("MAYFLY_VM", id);
    builder.environment().put("CUDA_MPS_PIPE_DIRECTORY", home.toString());
    var process = builder.start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  private void task(String name, String gpus, Map<String, String> more) throws Exception {
    // Its line says that it runs with its environment; it ends with its input.
    var builder = new ProcessBuilder("sh", "-c", "echo runs; read -r _");
    builder.environment().putAll(more);
    builder.environment().put("MAYFLY_VM", id);
    builder.environment().put("MAYFLY_TASK_ID", name);
    builder.environment().put("CUDA_VISIBLE_DEVICES", gpus);
    tasks.add(builder.start());
    assertThat(tasks.getLast().inputReader().readLine()).isEqualTo("runs");
  }

  @Test
  void gpusAreListed() throws Exception {
    assertThat(run("nvidia-smi", "--query-gpu=index,uuid,name,memory.total").lines())
        .hasSize(2)
        .allMatch(line -> line.matches("[01], GPU-[-0-9a-f]+, NVIDIA L4, 23034"));
    assertThat(run("nvidia-smi", "--query-gpu=index,temperature.gpu"))
        .isEqualTo("0, [N/A]\n1, [N/A]\n");
  }

  @Test
  void useFollowsFromTasks() throws Exception {
    assertThat(run("nvidia-smi", USES)).isEqualTo("0, 0, 0, 23034\n1, 0, 0, 23034\n");

    task("a", "0", Map.of("MAYFLY_GPU_MEMORY", Long.toString(6L << 30)));
    task("b", "0", Map.of("MAYFLY_GPU_MEMORY", Long.toString(6L << 30)));
    // Another process of the same task.
    task("b", "0", Map.of("MAYFLY_GPU_MEMORY", Long.toString(6L << 30)));
    task("c", "0,1", Map.of());

    assertThat(run("nvidia-smi", USES)).isEqualTo("0, 60, 12800, 23034\n1, 20, 512, 23034\n");
  }

  @Test
  void mpsDaemonRunsOnce() throws Exception {
    var pidFile = home.resolve("nvidia-cuda-mps-control.pid");

    assertThat(run("nvidia-cuda-mps-control", "-d")).isEmpty();
    var pid = Long.parseLong(Files.readString(pidFile).strip());
    try {
      assertThat(run("nvidia-cuda-mps-control", "-d")).contains("already running");
      assertThat(Long.parseLong(Files.readString(pidFile).strip())).isEqualTo(pid);
    } finally {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
