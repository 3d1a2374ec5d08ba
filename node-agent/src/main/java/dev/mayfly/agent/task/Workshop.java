package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.os.Launcher;
import dev.mayfly.agent.os.Limits;
import dev.mayfly.agent.os.Orphans;
import dev.mayfly.agent.os.WorkDir;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where and with what attempts are run.
 *
 * @param ready the tools, which are made while the agent already speaks to the control plane
 */
public record Workshop(WorkDir workDir, CompletableFuture<Tools> ready) {

  /** What the system offers to start, bound and find processes. */
  public record Tools(
      Launcher launcher, Limits limits, Orphans orphans, Optional<ContainerEngine> containers) {
    /** Finds out what works here; this takes a moment. */
    public static Tools find() {
      return new Tools(Launcher.best(), Limits.detect(), Orphans.adopt(), Optional.empty());
    }

    /** The same, with containers. */
    public Tools with(ContainerEngine engine) {
      return new Tools(launcher, limits, orphans, Optional.of(engine));
    }
  }

  Tools tools() {
    return ready.join();
  }
}
