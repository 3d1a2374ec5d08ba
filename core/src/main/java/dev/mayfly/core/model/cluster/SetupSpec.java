package dev.mayfly.core.model.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is made on a worker before the first task that needs it, once for each content of the named
 * files: an environment in the folder {@code $MAYFLY_SETUP}.
 *
 * @param command argv that fills the folder; empty for a Python environment
 * @param files of the job's code whose content the folder depends on
 * @param timeout the longest run time of the command
 * @param stored whether a finished folder is kept in the cluster's bucket for other workers
 * @param python a Python environment, instead of a command
 */
public record SetupSpec(
    List<String> command,
    List<String> files,
    Duration timeout,
    boolean stored,
    Optional<Python> python) {
  public static final Duration TIMEOUT = Duration.ofMinutes(30);

  public SetupSpec {
    command = List.copyOf(command);
    files = List.copyOf(files);
  }

  /**
   * A virtual environment.
   *
   * @param requirements the file of the job's code with its packages
   * @param version of the interpreter, such as 3.12; any if empty
   */
  public record Python(Optional<String> requirements, Optional<String> version) {}
}
