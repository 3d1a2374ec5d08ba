package dev.mayfly.local.machines.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.cloud.CloudSettings;
import dev.mayfly.local.cloud.SimulatedCloud;
import dev.mayfly.local.machines.BootCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Clouds whose TPUs run a command that does nothing. */
final class TpuTestClouds {
  private TpuTestClouds() {}

  static SimulatedCloud open(Path home) throws IOException {
    return open(home, InstantSource.system());
  }

  static SimulatedCloud open(Path home, InstantSource clock) throws IOException {
    return SimulatedCloud.start(
        CloudSettings.from(
            Map.of(
                "MAYFLY_HOME", home.toString(),
                "MAYFLY_CLOUD_PROJECT", "lab",
                "MAYFLY_CLOUD_BOOT_DELAY_MS", "2")),
        new BootCommand(List.of("/bin/sh", "-c", "exec sleep 1000")),
        clock,
        new SimulatedCloud.Routes(List.of(), List.of()),
        event -> {},
        Optional.empty());
  }

  /** Waits for every operation that there is. */
  static void settle(SimulatedCloud simulatedCloud) {
    try {
      assertThat(simulatedCloud.tpus().settle(120)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static void close(SimulatedCloud simulatedCloud) {
    simulatedCloud.tpus().vanish("*");
    simulatedCloud.close();
  }
}
