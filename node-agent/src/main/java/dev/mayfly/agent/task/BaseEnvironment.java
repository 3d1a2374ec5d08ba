package dev.mayfly.agent.task;

import dev.mayfly.gcs.StoreSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

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

  /** A simulated machine dies whole by the first; the second is where its objects are. */
  private static final Set<String> SHARED = Set.of("MAYFLY_VM", StoreSettings.ENDPOINT);

  private BaseEnvironment() {}

  /** From the agent's own environment. */
  public static Map<String, String> from(Map<String, String> own) {
    var base = new HashMap<String, String>();
    own.forEach((name, value) -> {
      if (SHARED.contains(name) || (!OURS.contains(name) && !name.startsWith("MAYFLY_"))) {
        base.put(name, value);
      }
    });
    var endpoint = own.get(StoreSettings.ENDPOINT);
    if (endpoint != null) {
      // What Google's own clients in other languages read.
      base.putIfAbsent("STORAGE_EMULATOR_HOST", endpoint);
    }
    return Map.copyOf(base);
  }
}
