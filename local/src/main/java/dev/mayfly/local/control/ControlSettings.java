package dev.mayfly.local.control;

import dev.mayfly.local.os.HomeFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of the laptop's control plane, from environment variables.
 *
 * @param home {@code MAYFLY_HOME}: the folder of all local data; default {@code ~/.mayfly}
 * @param port {@code MAYFLY_CONTROL_PORT}: the port on loopback
 * @param cloud {@code MAYFLY_CONTROL_CLOUD}: the simulated cloud's URL, without a trailing slash
 * @param project {@code MAYFLY_CONTROL_PROJECT}: the project id
 * @param tick {@code MAYFLY_CONTROL_TICK_SECONDS}: the seconds between ticks; 60 on Google Cloud
 * @param bundle {@code MAYFLY_CONTROL_BUNDLE_URL} and {@code MAYFLY_CONTROL_BUNDLE_SHA256}: the
 *     agent's bundle, fetched by the startup script of machines that are not this computer ({@code
 *     MAYFLY_CLOUD_MACHINE})
 */
public record ControlSettings(
    Path home,
    int port,
    String cloud,
    String project,
    Duration tick,
    Optional<AgentBundle> bundle) {
  private static final String BUNDLE_URL = "MAYFLY_CONTROL_BUNDLE_URL";
  private static final String BUNDLE_SHA256 = "MAYFLY_CONTROL_BUNDLE_SHA256";

  private static final Set<String> KEYS =
      Set.of(
          "MAYFLY_CONTROL_PORT",
          "MAYFLY_CONTROL_CLOUD",
          "MAYFLY_CONTROL_PROJECT",
          "MAYFLY_CONTROL_TICK_SECONDS",
          BUNDLE_URL,
          BUNDLE_SHA256);

  /**
   * The agent's bundle.
   *
   * @param url {@code gs://bucket/name} or {@code https://host/path}
   * @param sha256 the hash of its content, in hex
   */
  public record AgentBundle(String url, String sha256) {}

  /** Throws {@link IllegalArgumentException} with all errors. */
  public static ControlSettings from(Map<String, String> env) {
    var problems = new ArrayList<String>();
    for (var key : env.keySet())
      if (key.startsWith("MAYFLY_CONTROL_") && !KEYS.contains(key))
        problems.add(key + " is not a setting; known settings: " + KEYS.stream().sorted().toList());
    var cloud = env.getOrDefault("MAYFLY_CONTROL_CLOUD", "");
    if (!cloud.matches("http://[^/]+"))
      problems.add("MAYFLY_CONTROL_CLOUD is '" + cloud + "'; it must be http://HOST:PORT");
    var port = number(env, "MAYFLY_CONTROL_PORT", 8421, problems);
    var tick = number(env, "MAYFLY_CONTROL_TICK_SECONDS", 60, problems);
    if (tick == 0) problems.add("MAYFLY_CONTROL_TICK_SECONDS is 0; it must be at least 1");
    var agentBundle = bundle(env, problems);
    if (!problems.isEmpty()) throw new IllegalArgumentException(String.join("\n", problems));
    return new ControlSettings(
        HomeFolder.of(env),
        port,
        cloud,
        env.getOrDefault("MAYFLY_CONTROL_PROJECT", "mayfly-local"),
        Duration.ofSeconds(tick),
        agentBundle);
  }

  private static Optional<AgentBundle> bundle(Map<String, String> env, List<String> problems) {
    var url = env.getOrDefault(BUNDLE_URL, "");
    var sha = env.getOrDefault(BUNDLE_SHA256, "");
    if (url.isEmpty() && sha.isEmpty()) return Optional.empty();
    if (!url.matches("(gs|https)://[^ ]+"))
      problems.add(
          BUNDLE_URL + " is '" + url + "'; it must be gs://BUCKET/NAME or https://HOST/PATH");
    if (!sha.matches("[0-9a-f]{64}"))
      problems.add(BUNDLE_SHA256 + " is '" + sha + "'; it must be 64 hex digits");
    return Optional.of(new AgentBundle(url, sha));
  }

  private static int number(
      Map<String, String> env, String key, int unlessTold, List<String> problems) {
    var text = env.getOrDefault(key, Integer.toString(unlessTold));
    if (text.matches("[0-9]{1,5}")) return Integer.parseInt(text);
    problems.add(key + " is '" + text + "'; it must be a whole number");
    return unlessTold;
  }
}
