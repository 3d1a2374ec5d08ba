package dev.mayfly.gcs;

import dev.mayfly.core.error.Invalid;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Where objects are kept.
 *
 * @param endpoint another Cloud Storage than Google's, for example {@code http://127.0.0.1:8085};
 *     it is spoken to without credentials
 * @param project named in requests that need one: it pays where a bucket lets its users pay; may be
 *     blank
 * @param retryLimit for how long what fails is tried again without progress
 */
public record StoreSettings(Optional<URI> endpoint, String project, Duration retryLimit) {
  /** The variable that names {@link #endpoint}. */
  public static final String ENDPOINT = "MAYFLY_STORAGE_ENDPOINT";

  private static final String PROJECT = "GOOGLE_CLOUD_PROJECT";

  private static final Duration RETRY_LIMIT = Duration.ofSeconds(40);

  public StoreSettings(Optional<URI> endpoint, String project) {
    this(endpoint, project, RETRY_LIMIT);
  }

  /**
   * Reads {@value #ENDPOINT} and GOOGLE_CLOUD_PROJECT; both may be unset. Throws {@link Invalid}.
   */
  public static StoreSettings from(Map<String, String> env) {
    var endpoint = Optional.ofNullable(env.get(ENDPOINT)).filter(s -> !s.isBlank());
    return new StoreSettings(endpoint.map(StoreSettings::parse), env.getOrDefault(PROJECT, ""));
  }

  private static URI parse(String text) {
    if (!text.matches("https?://[^/?#]+/?"))
      throw new Invalid(
          ENDPOINT,
          "'"
              + text
              + "' is no endpoint; write it like http://127.0.0.1:8085, or unset it to use Google's");
    return URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
  }
}
