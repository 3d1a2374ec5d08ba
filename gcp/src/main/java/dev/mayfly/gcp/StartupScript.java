package dev.mayfly.gcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What every machine runs at its boot. It is the same text for all of them: nothing is ever
 * substituted in it, so that no name, label or path can become a part of a command. What differs is
 * read by the script from metadata values.
 */
public final class StartupScript {
  /** The metadata item that Compute Engine and Cloud TPU run. */
  public static final String KEY = "startup-script";

  /** Where the agent's bundle is: {@code gs://bucket/name} or {@code https://host/path}. */
  public static final String BUNDLE_URL = "mayfly-bundle-url";

  /** The bundle's SHA-256 in hex; another content is not unpacked. */
  public static final String BUNDLE_SHA256 = "mayfly-bundle-sha256";

  private StartupScript() {}

  /**
   * All items of a machine that fetches that bundle at its boot.
   *
   * @param url {@code gs://bucket/name} or {@code https://host/path}
   * @param sha256 of its content, in hex
   */
  public static Map<String, String> items(String url, String sha256) {
    return Map.of(KEY, text(), BUNDLE_URL, url, BUNDLE_SHA256, sha256);
  }

  /** The script, to be put in the metadata as it is. */
  public static String text() {
    try (var in = StartupScript.class.getResourceAsStream("startup.sh")) {
      if (in == null) throw new IllegalStateException("startup.sh is not in this jar");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("startup.sh cannot be read", e);
    }
  }
}
