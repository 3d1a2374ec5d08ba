package dev.mayfly.core.query.task;

import java.util.List;
import java.util.Optional;

/**
 * Some of a job's tasks, by index.
 *
 * @param tasks may be empty although there are more, if many were looked through
 * @param next the index from which the next page continues; empty after the last
 */
public record TaskPage(List<TaskStatus> tasks, Optional<Long> next) {
  public TaskPage {
    tasks = List.copyOf(tasks);
  }
}
