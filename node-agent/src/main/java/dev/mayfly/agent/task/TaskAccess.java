package dev.mayfly.agent.task;

import java.util.Map;
import java.util.Optional;

/**
 * What this machine can give to tasks with rights beyond the default.
 *
 * @param metadata variables of tasks that may reach the metadata server
 * @param submitter how a task is let submit jobs; empty if this machine cannot
 */
public record TaskAccess(Map<String, String> metadata, Optional<SubmitterAccess> submitter) {
  static final TaskAccess NONE = new TaskAccess(Map.of(), Optional.empty());

  public TaskAccess {
    metadata = Map.copyOf(metadata);
  }
}
