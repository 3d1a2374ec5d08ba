package dev.mayfly.gcp;

import java.util.Map;

/**
 * Metadata of every machine. The project's SSH keys, which may belong to many people, open none of
 * them. People log in by OS Login, which asks IAM each time. The serial console accepts no input.
 */
public final class LoginMetadata {
  /** Overrides settings and orders. */
  public static final Map<String, String> ITEMS =
      Map.of(
          "block-project-ssh-keys", "true",
          "enable-oslogin", "true",
          "serial-port-enable", "false");

  private LoginMetadata() {}
}
