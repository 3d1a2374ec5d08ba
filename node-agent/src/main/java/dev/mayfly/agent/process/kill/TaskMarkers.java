package dev.mayfly.agent.process.kill;

import java.nio.file.Path;
import java.util.Map;

/**
 * The two environment variables that identify a task's process, whatever happens to its parent,
 * group and session.
 */
public final class TaskMarkers {
  /** The attempt of a process: job, index and attempt. */
  public static final String ATTEMPT = "MAYFLY_TASK_ID";

  /** The work directory, and thereby the agent in any incarnation, of a process. */
  public static final String TASK_OF = "MAYFLY_TASK_OF";

  private TaskMarkers() {}

  /** The variables that every process of an attempt must have. */
  public static Map<String, String> of(Path workRoot, String attempt) {
    return Map.of(ATTEMPT, attempt, TASK_OF, root(workRoot));
  }

  static String root(Path workRoot) {
    return workRoot.toAbsolutePath().normalize().toString();
  }
}
