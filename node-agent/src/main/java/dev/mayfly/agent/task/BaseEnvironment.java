package dev.mayfly.agent.task;

import dev.mayfly.gcs.StoreSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The environment that every task starts from: the machine's, without the agent's own variables.
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

  /** The first lets a simulated machine be killed as a whole; the second is its object store. */
  private static final Set<String> SHARED = Set.of("MAYFLY_VM", StoreSettings.ENDPOINT);

  private BaseEnvironment() {}

  /**
   * Derived from the agent's environment.
   *
   * @param home for tasks if the agent has none, as is common for services; it outlives tasks
   */
  public static Map<String, String> from(Map<String, String> own, Path home) {
    var base = new HashMap<>(from(own));
    base.putIfAbsent("HOME", home.toString());
    return Map.copyOf(base);
  }

  /** Derived from the agent's environment. */
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

  /** Makes Google's clients in other languages use the agent's object store. */
  private static Map<String, String> clients(String endpoint) {
    return Map.of(
        "STORAGE_EMULATOR_HOST",
        endpoint,
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE",
        endpoint + "/storage/v1/",
        // No login is needed, and none is sent to the endpoint.
        "CLOUDSDK_AUTH_DISABLE_CREDENTIALS",
        "true",
        "CLOUDSDK_CORE_DISABLE_PROMPTS",
        "1",
        // gcsfs asks for a bucket's type by gRPC, for a minute if there is no answer.
        "GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT",
        "false");
  }
}
