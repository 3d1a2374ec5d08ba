package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.files.DiskHealth;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.machine.HeldDevices;
import dev.mayfly.agent.process.CommandLauncher;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.kill.OrphanReaper;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where and with what attempts are run.
 *
 * @param disk that of the work directory
 * @param ready the tools, which are made while the agent already speaks to the control plane
 * @param users whom they run as
 */
public record TaskContext(
    WorkDir workDir, DiskHealth disk, CompletableFuture<Tools> ready, TaskUsers users) {
  /** Where tasks run as the agent does. */
  public TaskContext(WorkDir workDir, DiskHealth disk, CompletableFuture<Tools> ready) {
    this(workDir, disk, ready, TaskUsers.NONE);
  }

  /** What the system offers to start, bound and find processes. */
  public record Tools(
      CommandLauncher launcher,
      ResourceLimits limits,
      OrphanReaper orphans,
      HeldDevices devices,
      Optional<ContainerEngine> containers) {
    /** Finds out what works here; this takes a moment. */
    public static Tools find() {
      return new Tools(
          CommandLauncher.best(),
          ResourceLimits.detect(),
          OrphanReaper.adopt(),
          new HeldDevices(),
          Optional.empty());
    }

    /** The same, with containers. */
    public Tools with(ContainerEngine engine) {
      return new Tools(launcher, limits, orphans, devices, Optional.of(engine));
    }

    /** The same on a machine whose processes are shown elsewhere. */
    Tools with(HeldDevices others) {
      return new Tools(launcher, limits, orphans, others, containers);
    }
  }

  Tools tools() {
    return ready.join();
  }
}
