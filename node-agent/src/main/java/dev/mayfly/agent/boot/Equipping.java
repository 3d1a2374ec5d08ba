package dev.mayfly.agent.boot;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.os.Devices;
import dev.mayfly.agent.os.TaskUser;
import dev.mayfly.agent.os.Tool;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.model.Mount;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncReport.BootStep;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which steps a machine needs.
 *
 * @param image the cluster's, pulled before it is asked for
 * @param registries logins by host, each a reference to a secret
 * @param gpus how many devices its driver must show; 0: nobody looks
 * @param visible what was ordered
 * @param user whom tasks run as, if not as the agent does
 */
public record Equipping(
    Optional<String> image,
    Map<String, String> registries,
    List<Mount> mounts,
    long gpus,
    Resources visible,
    Optional<TaskUser> user,
    Map<String, String> environment) {
  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final int NFS_PORT = 2049;

  /** Whether the machine is ready as it is. */
  public boolean isEmpty() {
    return gpus == 0 && mounts.isEmpty() && image.isEmpty();
  }

  public Preparation preparation(
      List<BootStep> before, ContainerEngine engine, Consumer<AgentEvent> events) {
    var steps = new ArrayList<Step>();
    var driver =
        new GpuStep(
            gpus,
            Devices::gpus,
            text -> events.accept(new AgentEvent.DeviceTrouble(Optional.of(text))));
    if (gpus > 0) steps.add(driver);
    var tool = new Tool(environment);
    for (var mount : mounts)
      steps.add(new MountStep(mount, tool, Path.of("/proc/self/mounts"), NFS_PORT, user));
    image.ifPresent(image -> steps.add(new ImageStep(image, registries, engine)));
    return new Preparation(before, steps, () -> offered(driver), AGAIN, events);
  }

  /** Only devices can be fewer than their machine type has. */
  private Resources offered(GpuStep driver) {
    var millis = gpus == 0 ? visible.gpuMillis() : driver.found() * 1000;
    return new Resources(visible.cpuMillis(), visible.memoryBytes(), millis, visible.tpuChips());
  }
}
