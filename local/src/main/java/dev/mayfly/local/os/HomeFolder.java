package dev.mayfly.local.os;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The folder of all that Mayfly keeps on this machine: {@code $MAYFLY_HOME}, or {@code .mayfly} in
 * {@code $HOME}. The command line finds it by the same rule.
 */
public final class HomeFolder {
  private HomeFolder() {}

  /**
   * @param env of this process; a value that is blank counts as none, and without {@code HOME} the
   *     home folder is the one that the system has for the user
   */
  public static Path of(Map<String, String> env) {
    return told(env, "MAYFLY_HOME")
        .map(Path::of)
        .orElseGet(() ->
            Path.of(told(env, "HOME").orElseGet(() -> System.getProperty("user.home")), ".mayfly"))
        .toAbsolutePath();
  }

  private static Optional<String> told(Map<String, String> env, String name) {
    return Optional.ofNullable(env.get(name)).filter(value -> !value.isBlank());
  }
}
