package dev.mayfly.core.query.task;

import java.util.Optional;

/**
 * What a page should hold.
 *
 * @param state only tasks in this state; empty for all
 * @param from the first index
 * @param limit the most tasks, at least 1
 */
public record TaskRequest(Optional<TaskStatus.State> state, long from, int limit) {
  boolean wants(TaskStatus.State one) {
    return state.isEmpty() || state.get() == one;
  }
}
