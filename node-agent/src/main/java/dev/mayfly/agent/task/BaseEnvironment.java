package dev.mayfly.agent.task;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What every task finds in its environment: the machine's, without what is meant for the agent
 * itself.
 */
public final class BaseEnvironment {
  private static final Set<String> OURS =
      Set.of(
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "NOTIFY_SOCKET",
          "WATCHDOG_PID",
          "WATCHDOG_USEC",
          "LISTEN_FDS",
          "LISTEN_PID",
          "INVOCATION_ID",
          "JOURNAL_STREAM",
          "OLDPWD",
          "_");

  private BaseEnvironment() {}

  /** From the agent's own environment. */
  public static Map<String, String> from(Map<String, String> own) {
    return own.entrySet().stream()
        .filter(e -> !OURS.contains(e.getKey()) && !e.getKey().startsWith("MAYFLY_"))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
