package dev.mayfly.gcp.pubsub;

import java.util.Optional;

/**
 * Where messages are published.
 *
 * @param project the Google Cloud project of the topics
 * @param emulator the emulator's {@code HOST:PORT}, used without credentials; empty for Google's
 *     own, with the credentials of the environment
 */
public record PubSubSettings(String project, Optional<String> emulator) {
  /** The variable with the {@link #emulator}, named as in Google's own tools. */
  public static final String EMULATOR = "PUBSUB_EMULATOR_HOST";

  public PubSubSettings {
    emulator.ifPresent(PubSubSettings::check);
  }

  private static void check(String host) {
    if (!host.matches("[^/: ]+:[0-9]{1,5}"))
      throw new IllegalArgumentException(
          EMULATOR + " is '" + host + "'; it must be HOST:PORT, for example 127.0.0.1:8085");
  }
}
