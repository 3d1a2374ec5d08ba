package dev.mayfly.agent.boot;

import static java.util.Objects.requireNonNull;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.machine.MachineGpus;
import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.SeedSpec;
import dev.mayfly.core.model.sync.SyncReport.BootStep;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The preparation steps that a machine needs.
 *
 * @param image the cluster's image, pulled before a task needs it
 * @param registries logins by host, each a reference to a secret
 * @param seeds what fills storage, by its name
 * @param worker names this machine to people
 * @param filestore finds Filestore instances by name
 * @param user runs tasks; empty where tasks run as the agent's user
 * @param environment of programs; {@code MAYFLY_INSTALLS} in it says that programs that the machine
 *     lacks may be installed: on machines that were bought for Mayfly, never on one of a person's
 */
public record PreparationPlan(
    Optional<String> image,
    Map<String, String> registries,
    List<Mount> mounts,
    Map<String, SeedSpec> seeds,
    String worker,
    MachineGpus gpus,
    FilestoreLookup filestore,
    Optional<TaskUser> user,
    Map<String, String> environment) {
  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final int NFS_PORT = 2049;

  /** Whether the machine needs no preparation. */
  public boolean isEmpty() {
    return gpus.expected() == 0 && gpus.mps().isEmpty() && mounts.isEmpty() && image.isEmpty();
  }

  public MachinePreparation preparation(
      List<BootStep> before, ContainerEngine engine, Consumer<AgentEvent> events) {
    var preparationSteps = new ArrayList<PreparationStep>();
    var devices =
        new GpuStep(
            gpus.expected(),
            gpus.visible().gpuMemoryBytes(),
            gpus.driver()::gpus,
            less -> events.accept(new AgentEvent.DeviceProblem(Optional.of(less))));
    if (gpus.expected() > 0) preparationSteps.add(devices);
    gpus.mps()
        .ifPresent(
            folders -> preparationSteps.add(new MpsStep(folders, environment, Path.of("/proc"))));
    var programRunner = new ProgramRunner(environment);
    if (environment.containsKey("MAYFLY_INSTALLS"))
      PackageStep.of(image.isPresent(), mounts, unattended(), Path.of("/"))
          .ifPresent(preparationSteps::add);
    for (var mount : mounts)
      preparationSteps.add(
          new MountStep(
              mount,
              programRunner,
              Path.of("/proc/self/mounts"),
              NFS_PORT,
              filestore,
              GcsfuseOptions.of(user, environment)));
    for (var mount : mounts)
      mount
          .storage()
          .filter(seeds::containsKey)
          .ifPresent(name -> preparationSteps.add(seed(name, mount, programRunner)));
    image.ifPresent(image -> preparationSteps.add(new ImageStep(image, registries, engine)));
    return new MachinePreparation(before, preparationSteps, () -> offered(devices), AGAIN, events);
  }

  /** Nothing asks questions, and errors are in English. */
  private ProgramRunner unattended() {
    var variables = new HashMap<>(environment);
    variables.putAll(
        Map.of("DEBIAN_FRONTEND", "noninteractive", "NEEDRESTART_MODE", "l", "LC_ALL", "C.UTF-8"));
    return new ProgramRunner(variables);
  }

  private SeedStep seed(String name, Mount mount, ProgramRunner programRunner) {
    return new SeedStep(
        name,
        Path.of(mount.path()),
        requireNonNull(seeds.get(name)),
        programRunner,
        worker,
        Thread::sleep);
  }

  /** Only GPUs and their memory can be less than the machine type has. */
  private Resources offered(GpuStep devices) {
    if (gpus.expected() == 0) return gpus.visible();
    return gpus.visible()
        .withGpuMillis(devices.found() * 1000)
        .withGpuMemory(devices.foundMemory());
  }
}
