package dev.mayfly.gcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The startup script of every machine. The text is the same for all: nothing is substituted in it,
 * so that no name, label or path can become part of a command. The script reads what differs from
 * metadata values.
 */
public final class StartupScript {
  /** The metadata item that Compute Engine and Cloud TPU execute. */
  public static final String KEY = "startup-script";

  /** The agent's bundle: {@code gs://bucket/name} or {@code https://host/path}. */
  public static final String BUNDLE_URL = "mayfly-bundle-url";

  /** The bundle's SHA-256 in hex; other content is not unpacked. */
  public static final String BUNDLE_SHA256 = "mayfly-bundle-sha256";

  private StartupScript() {}

  /**
   * All metadata items of a machine that fetches the bundle at boot.
   *
   * @param url {@code gs://bucket/name} or {@code https://host/path}
   * @param sha256 of its content, in hex
   */
  public static Map<String, String> items(String url, String sha256) {
    return Map.of(KEY, text(), BUNDLE_URL, url, BUNDLE_SHA256, sha256);
  }

  /** The script, to be used as metadata unchanged. */
  public static String text() {
    try (var in = StartupScript.class.getResourceAsStream("startup.sh")) {
      if (in == null) throw new IllegalStateException("startup.sh is not in this jar");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("startup.sh cannot be read", e);
    }
  }
}
