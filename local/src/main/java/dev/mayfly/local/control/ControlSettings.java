package dev.mayfly.local.control;

import dev.mayfly.local.guard.HomeFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How the laptop's control plane is set up; from environment variables of these names.
 *
 * @param home {@code MAYFLY_HOME}: the folder of all that Mayfly keeps here; default {@code
 *     ~/.mayfly}
 * @param port {@code MAYFLY_CONTROL_PORT}: where to listen on loopback
 * @param cloud {@code MAYFLY_CONTROL_CLOUD}: the simulated cloud's URL, without a trailing slash
 * @param project {@code MAYFLY_CONTROL_PROJECT}: the project's id
 * @param tick {@code MAYFLY_CONTROL_TICK_SECONDS}: how often everything is looked at; 60 on Google
 *     Cloud
 */
public record ControlSettings(Path home, int port, String cloud, String project, Duration tick) {
  private static final Set<String> KEYS =
      Set.of(
          "MAYFLY_CONTROL_PORT",
          "MAYFLY_CONTROL_CLOUD",
          "MAYFLY_CONTROL_PROJECT",
          "MAYFLY_CONTROL_TICK_SECONDS");

  /** Throws {@link IllegalArgumentException} that names everything that is wrong. */
  public static ControlSettings from(Map<String, String> env) {
    var problems = new ArrayList<String>();
    for (var key : env.keySet())
      if (key.startsWith("MAYFLY_CONTROL_") && !KEYS.contains(key))
        problems.add(key + " is no setting; there are " + KEYS.stream().sorted().toList());
    var cloud = env.getOrDefault("MAYFLY_CONTROL_CLOUD", "");
    if (!cloud.matches("http://[^/]+"))
      problems.add("MAYFLY_CONTROL_CLOUD is '" + cloud + "'; it must be http://HOST:PORT");
    var port = number(env, "MAYFLY_CONTROL_PORT", 8421, problems);
    var tick = number(env, "MAYFLY_CONTROL_TICK_SECONDS", 60, problems);
    if (tick == 0) problems.add("MAYFLY_CONTROL_TICK_SECONDS is 0; it must be at least 1");
    if (!problems.isEmpty()) throw new IllegalArgumentException(String.join("\n", problems));
    return new ControlSettings(
        HomeFolder.of(env),
        port,
        cloud,
        env.getOrDefault("MAYFLY_CONTROL_PROJECT", "mayfly-local"),
        Duration.ofSeconds(tick));
  }

  private static int number(
      Map<String, String> env, String key, int unlessTold, List<String> problems) {
    var text = env.getOrDefault(key, Integer.toString(unlessTold));
    if (text.matches("[0-9]{1,5}")) return Integer.parseInt(text);
    problems.add(key + " is '" + text + "'; it must be a whole number");
    return unlessTold;
  }
}
