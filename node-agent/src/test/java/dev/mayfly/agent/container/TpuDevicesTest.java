package dev.mayfly.agent.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.ProcessCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The devices that a TPU task's container gets. */
class TpuDevicesTest {
  private static final ContainerEngine.ContainerIsolation HOST =
      new ContainerEngine.ContainerIsolation(true, false, false);

  @TempDir Path dev;

  @Test
  void findsDevicesOfAllTpuGenerations() throws IOException {
    assertThat(TpuDevices.in(dev)).isEmpty();
    assertThat(TpuDevices.in(dev.resolve("nowhere"))).isEmpty();

    for (var name : List.of("accel1", "accel0", "null")) Files.createFile(dev.resolve(name));
    assertThat(TpuDevices.in(dev)).containsExactly(dev.resolve("accel0"), dev.resolve("accel1"));

    Files.createDirectory(dev.resolve("vfio"));
    assertThat(TpuDevices.in(dev)).contains(dev.resolve("vfio")).hasSize(3);
  }

  @Test
  void tpuTaskLocksMemoryAndUsesTheTpu() {
    assertThat(argv(true, List.of(Path.of("/dev/vfio")), Map.of()))
        .contains(
            "--ulimit=memlock=-1:-1",
            "--cap-add=SYS_RESOURCE",
            "--device=/dev/vfio",
            "--env=PJRT_DEVICE=TPU",
            "--env=JAX_PLATFORMS=tpu,cpu");
  }

  @Test
  void jobsDeviceVariablesAreKept() {
    assertThat(argv(true, List.of(Path.of("/dev/accel0")), Map.of("JAX_PLATFORMS", "cpu")))
        .contains("--env=JAX_PLATFORMS", "--env=PJRT_DEVICE=TPU", "--device=/dev/accel0")
        .doesNotContain("--env=JAX_PLATFORMS=tpu,cpu");
  }

  @Test
  void withoutTpuNoDeviceIsAdded() {
    assertThat(argv(true, List.of(), Map.of())).noneMatch(a -> a.contains("tpu,cpu"));
    assertThat(argv(false, List.of(), Map.of()))
        .noneMatch(a -> a.matches(".*(memlock|SYS_RESOURCE|--device|PJRT).*"));
  }

  private List<String> argv(boolean tpu, List<Path> devices, Map<String, String> inside) {
    var containerSpec =
        new ContainerEngine.ContainerSpec("lab/x:1", "n", 0, 0, List.of(), tpu, Optional.of(HOST));
    var processCommand = new ProcessCommand(List.of("train"), inside, dev, dev.resolve("log"));
    return new RunArguments("docker", containerSpec, List.of(), devices)
        .of(processCommand, inside, dev.toString());
  }
}
