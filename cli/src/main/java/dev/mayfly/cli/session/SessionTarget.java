package dev.mayfly.cli.session;

import java.util.Optional;

/**
 * Where a command runs.
 *
 * @param task beside this task; empty for the machine itself
 */
public record SessionTarget(Machine machine, Optional<TaskAddress> task) {
  @Override
  public String toString() {
    return task.map(t -> t + " on " + machine).orElseGet(machine::toString);
  }
}
