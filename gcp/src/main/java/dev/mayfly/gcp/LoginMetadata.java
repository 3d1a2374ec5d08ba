package dev.mayfly.gcp;

import java.util.Map;

/**
 * Metadata of every machine: the project's SSH keys, which may be many people's, open none of them.
 * A person logs in by OS Login, which asks IAM each time, and the serial console takes no input.
 */
public final class LoginMetadata {
  /** Wins over what settings and orders say. */
  public static final Map<String, String> ITEMS =
      Map.of(
          "block-project-ssh-keys", "true",
          "enable-oslogin", "true",
          "serial-port-enable", "false");

  private LoginMetadata() {}
}
