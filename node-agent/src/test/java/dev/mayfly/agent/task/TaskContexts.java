package dev.mayfly.agent.task;

import dev.mayfly.agent.files.DiskHealth;
import dev.mayfly.agent.files.WorkDir;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Machines without mounts and GPUs, on which tasks run as the agent's user. */
public final class TaskContexts {
  private TaskContexts() {}

  public static TaskContext of(WorkDir workDir, TaskContext.Tools tools) {
    return new TaskContext(
        workDir,
        new DiskHealth(workDir),
        CompletableFuture.completedFuture(tools),
        TaskUsers.NONE,
        Map.of(),
        TaskAccess.NONE,
        new TaskContext.Gpus(Optional::empty, Optional.empty()));
  }
}
