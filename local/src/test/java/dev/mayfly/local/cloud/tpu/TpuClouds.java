package dev.mayfly.local.cloud.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.cloud.Cloud;
import dev.mayfly.local.cloud.CloudSettings;
import dev.mayfly.local.cloud.vm.BootCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** Clouds whose TPUs run a command that does nothing. */
final class TpuClouds {
  private TpuClouds() {}

  static Cloud open(Path home) throws IOException {
    return open(home, InstantSource.system());
  }

  static Cloud open(Path home, InstantSource clock) throws IOException {
    return Cloud.start(
        CloudSettings.from(
            Map.of(
                "MAYFLY_HOME", home.toString(),
                "MAYFLY_CLOUD_PROJECT", "lab",
                "MAYFLY_CLOUD_BOOT_DELAY_MS", "2")),
        new BootCommand(List.of("/bin/sh", "-c", "exec sleep 1000")),
        clock,
        List.of(),
        event -> {});
  }

  /** Waits for every operation that there is. */
  static void settle(Cloud cloud) {
    try {
      assertThat(cloud.tpus().settle(120)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static void close(Cloud cloud) {
    cloud.tpus().vanish("*");
    cloud.close();
  }
}
