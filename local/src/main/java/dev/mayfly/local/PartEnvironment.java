package dev.mayfly.local;

import java.nio.file.Path;
import java.util.Map;

/** What a process of the laptop cloud reads from its environment. */
final class PartEnvironment {
  private PartEnvironment() {}

  static Map<String, String> of(LocalOptions options, LocalOptions.Part part) {
    return part == LocalOptions.Part.CLOUD ? cloud(options) : control(options);
  }

  private static Map<String, String> cloud(LocalOptions options) {
    var java = Path.of(System.getProperty("java.home"), "bin");
    return Map.of(
        "MAYFLY_HOME",
        options.home().toString(),
        // A machine's tasks find this process's Java on their path.
        "PATH",
        java + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin"),
        "MAYFLY_CLOUD_PORT",
        Integer.toString(options.port()),
        "MAYFLY_CLOUD_PROJECT",
        LocalEndpoints.PROJECT,
        "MAYFLY_CLOUD_NOTICE_MS",
        Integer.toString(options.noticeMillis()),
        "MAYFLY_CLOUD_AGENT_CLASSPATH",
        options.agentClassPath(),
        "MAYFLY_CLOUD_CONTROL_PLANE",
        url(options.port() + 1));
  }

  private static Map<String, String> control(LocalOptions options) {
    return Map.of(
        "MAYFLY_HOME",
        options.home().toString(),
        "MAYFLY_CONTROL_PORT",
        Integer.toString(options.port() + 1),
        "MAYFLY_CONTROL_CLOUD",
        url(options.port()),
        "MAYFLY_CONTROL_PROJECT",
        LocalEndpoints.PROJECT,
        "MAYFLY_CONTROL_TICK_SECONDS",
        Integer.toString(options.tick()));
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }
}
