package dev.mayfly.local.os;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The folder of all of Mayfly's data on this machine: {@code $MAYFLY_HOME}, or {@code .mayfly} in
 * {@code $HOME}. The command line finds it by the same rule.
 */
public final class HomeFolder {
  private HomeFolder() {}

  /**
   * @param env environment of this process; a blank value counts as absent, and without {@code
   *     HOME} the home folder is the user's in the system
   */
  public static Path of(Map<String, String> env) {
    return configured(env, "MAYFLY_HOME")
        .map(Path::of)
        .orElseGet(() ->
            Path.of(
                configured(env, "HOME").orElseGet(() -> System.getProperty("user.home")),
                ".mayfly"))
        .toAbsolutePath();
  }

  private static Optional<String> configured(Map<String, String> env, String name) {
    return Optional.ofNullable(env.get(name)).filter(value -> !value.isBlank());
  }
}
