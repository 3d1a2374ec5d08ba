package dev.mayfly.agent.task;

import java.util.Map;
import java.util.Optional;

/**
 * What this machine can give to tasks with rights beyond the default.
 *
 * @param metadata variables of tasks that may reach the metadata server
 * @param submitter how a task is let submit jobs; empty if this machine cannot
 */
public record TaskGrants(Map<String, String> metadata, Optional<SubmitterAccess> submitter) {
  static final TaskGrants NONE = new TaskGrants(Map.of(), Optional.empty());

  public TaskGrants {
    metadata = Map.copyOf(metadata);
  }
}
