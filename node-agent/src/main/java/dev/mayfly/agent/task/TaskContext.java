package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.files.DiskHealth;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.machine.HeldDevices;
import dev.mayfly.agent.machine.MpsFolders;
import dev.mayfly.agent.process.CommandLauncher;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.kill.OrphanReaper;
import dev.mayfly.agent.setup.PythonSetup;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Where and with what attempts are run.
 *
 * @param disk of the work directory
 * @param ready the tools, which are detected while the agent already syncs
 * @param users the users that tasks run as
 * @param mounts variables with the paths of mounts
 * @param access what tasks with rights beyond the default find
 * @param gpus what tasks with GPUs are told
 */
public record TaskContext(
    WorkDir workDir,
    DiskHealth disk,
    CompletableFuture<Tools> ready,
    TaskUsers users,
    Map<String, String> mounts,
    TaskAccess access,
    Gpus gpus) {
  public TaskContext {
    mounts = Map.copyOf(mounts);
  }

  /**
   * The machine's GPUs, for tasks.
   *
   * @param memory bytes of one of them, as far as they are known when a task starts
   * @param mps where NVIDIA's Multi-Process Service runs, if it does
   */
  public record Gpus(Supplier<Optional<Long>> memory, Optional<MpsFolders> mps) {}

  /**
   * The system's means to start, limit and find processes.
   *
   * @param uv makes Python environments where neither the machine nor the image has a uv
   */
  public record Tools(
      CommandLauncher launcher,
      ResourceLimits limits,
      OrphanReaper orphans,
      HeldDevices devices,
      Optional<ContainerEngine> containers,
      Optional<Path> uv) {
    /** Detects what works here, which takes a moment. */
    public static Tools find() {
      return new Tools(
          CommandLauncher.best(),
          ResourceLimits.detect(),
          OrphanReaper.adopt(),
          new HeldDevices(),
          Optional.empty(),
          Optional.empty());
    }

    /**
     * As above, with the uv that the agent's bundle brings.
     *
     * @param environment of the agent
     */
    public static Tools find(Map<String, String> environment) {
      return find().withUv(Optional.ofNullable(environment.get(PythonSetup.UV)).map(Path::of));
    }

    /** A copy with containers. */
    public Tools with(ContainerEngine engine) {
      return new Tools(launcher, limits, orphans, devices, Optional.of(engine), uv);
    }

    /** A copy that looks for held devices elsewhere. */
    Tools with(HeldDevices others) {
      return new Tools(launcher, limits, orphans, others, containers, uv);
    }

    /** A copy with a uv of the agent's own. */
    Tools withUv(Optional<Path> program) {
      return new Tools(launcher, limits, orphans, devices, containers, program);
    }
  }

  Tools tools() {
    return ready.join();
  }
}
