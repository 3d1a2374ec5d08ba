package dev.mayfly.agent.task;

import dev.mayfly.gcs.StoreSettings;
import java.nio.file.Path;
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

  /**
   * From the agent's own environment.
   *
   * @param home for tasks where the agent has none, as services of a machine often have not; it
   *     outlives tasks
   */
  public static Map<String, String> from(Map<String, String> own, Path home) {
    var base = new HashMap<>(from(own));
    base.putIfAbsent("HOME", home.toString());
    return Map.copyOf(base);
  }

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
      clients(endpoint).forEach(base::putIfAbsent);
    }
    return Map.copyOf(base);
  }

  /** What makes Google's own clients, in other languages, use the store that the agent uses. */
  private static Map<String, String> clients(String endpoint) {
    return Map.of(
        "STORAGE_EMULATOR_HOST",
        endpoint,
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE",
        endpoint + "/storage/v1/",
        // Nobody need be logged in, and nobody's login is sent to it.
        "CLOUDSDK_AUTH_DISABLE_CREDENTIALS",
        "true",
        "CLOUDSDK_CORE_DISABLE_PROMPTS",
        "1",
        // gcsfs asks by gRPC what kind a bucket is, for a minute where nobody answers.
        "GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT",
        "false");
  }
}
