package dev.mayfly.agent.task;

import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.core.model.cluster.TaskPrivileges;
import java.util.Optional;

/**
 * Whom tasks run as, on a machine that Mayfly made; elsewhere as the agent does.
 *
 * @param usual one that cannot reach the metadata server
 * @param metadata one that can
 */
public record TaskUsers(Optional<TaskUser> usual, Optional<TaskUser> metadata) {
  public static final TaskUsers NONE = new TaskUsers(Optional.empty(), Optional.empty());

  /** Whether tasks are kept apart from the agent here. */
  boolean isolated() {
    return usual.isPresent();
  }

  /** Whom a task with these rights runs as; empty: as the agent does. */
  Optional<TaskUser> of(TaskPrivileges taskPrivileges) {
    if (taskPrivileges.root() || !isolated()) return Optional.empty();
    return taskPrivileges.metadata() ? metadata : usual;
  }
}
