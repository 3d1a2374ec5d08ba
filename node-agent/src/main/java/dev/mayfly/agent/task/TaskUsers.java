package dev.mayfly.agent.task;

import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.core.model.cluster.TaskRights;
import java.util.Optional;

/**
 * The users that tasks run as on machines that Mayfly created; elsewhere tasks run as the agent's
 * user.
 *
 * @param usual cannot reach the metadata server
 * @param metadata can reach it
 */
public record TaskUsers(Optional<TaskUser> usual, Optional<TaskUser> metadata) {
  public static final TaskUsers NONE = new TaskUsers(Optional.empty(), Optional.empty());

  /** Whether tasks are isolated from the agent. */
  boolean isolated() {
    return usual.isPresent();
  }

  /** The user of a task with these rights; empty for the agent's user. */
  Optional<TaskUser> of(TaskRights taskRights) {
    if (taskRights.root() || !isolated()) return Optional.empty();
    return taskRights.metadata() ? metadata : usual;
  }
}
