package dev.mayfly.agent.process.kill;

import java.nio.file.Path;
import java.util.Map;

/**
 * The two environment variables by which a process is known as a task's, whatever it did to its
 * parents, group and session.
 */
public final class TaskMarkers {
  /** Names the attempt that a process belongs to: job, index and attempt. */
  public static final String ATTEMPT = "MAYFLY_TASK_ID";

  /** Names the work directory, and so the agent of whatever incarnation, that it belongs to. */
  public static final String TASK_OF = "MAYFLY_TASK_OF";

  private TaskMarkers() {}

  /** What every process of an attempt must find in its environment. */
  public static Map<String, String> of(Path workRoot, String attempt) {
    return Map.of(ATTEMPT, attempt, TASK_OF, root(workRoot));
  }

  static String root(Path workRoot) {
    return workRoot.toAbsolutePath().normalize().toString();
  }
}
