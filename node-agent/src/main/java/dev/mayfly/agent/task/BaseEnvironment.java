package dev.mayfly.agent.task;

import dev.mayfly.agent.machine.MetadataClient;
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

  /** Lets a simulated machine be killed as a whole. */
  private static final String MACHINE = "MAYFLY_VM";

  /** Where Google's clients look for the account of their machine. */
  private static final String METADATA = "GCE_METADATA_HOST";

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
      var foreign = name.startsWith("MAYFLY_") || OURS.contains(name) || name.equals(METADATA);
      if (name.equals(MACHINE) || !foreign) base.put(name, value);
    });
    return Map.copyOf(base);
  }

  /**
   * What a task also finds that may reach the metadata server: on a simulated machine, that server,
   * and a Cloud Storage at the same address, where a call without a credential is the machine's. On
   * Google's machines, nothing.
   */
  public static Map<String, String> ofMetadata(Map<String, String> own) {
    var more = new HashMap<String, String>();
    var server = own.get(METADATA);
    if (server != null) more.put(METADATA, server);
    if (own.containsKey(StoreSettings.ENDPOINT))
      more.putAll(clients("http://" + MetadataClient.host(own)));
    return Map.copyOf(more);
  }

  /** Makes Google's clients in other languages use that object store. */
  private static Map<String, String> clients(String endpoint) {
    return Map.of(
        StoreSettings.ENDPOINT,
        endpoint,
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
