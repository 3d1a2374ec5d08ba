package dev.mayfly.gcs;

import dev.mayfly.core.error.InvalidInputException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where objects are stored.
 *
 * @param endpoint a Cloud Storage other than Google's, for example {@code http://127.0.0.1:8085};
 *     it gets no Google credentials
 * @param token the endpoint's access token, if it needs one; asked for each call
 * @param project named in requests that need one: pays for requester pays buckets; may be blank
 * @param retryLimit how long an operation is retried without progress
 */
public record StoreSettings(
    Optional<URI> endpoint, Optional<Supplier<String>> token, String project, Duration retryLimit) {
  /** The variable with the {@link #endpoint}. */
  public static final String ENDPOINT = "MAYFLY_STORAGE_ENDPOINT";

  /** The variable with the {@link #token}. */
  public static final String TOKEN = "MAYFLY_STORAGE_TOKEN";

  private static final String PROJECT = "GOOGLE_CLOUD_PROJECT";

  private static final Duration RETRY_LIMIT = Duration.ofSeconds(40);

  public StoreSettings(Optional<URI> endpoint, Optional<Supplier<String>> token, String project) {
    this(endpoint, token, project, RETRY_LIMIT);
  }

  /**
   * Reads {@value #ENDPOINT}, {@value #TOKEN} and GOOGLE_CLOUD_PROJECT, all optional. Throws {@link
   * InvalidInputException}.
   */
  public static StoreSettings from(Map<String, String> env) {
    var endpoint = Optional.ofNullable(env.get(ENDPOINT)).filter(s -> !s.isBlank());
    var token = Optional.ofNullable(env.get(TOKEN)).filter(s -> !s.isBlank());
    return new StoreSettings(
        endpoint.map(StoreSettings::parse),
        token.map(it -> () -> it),
        env.getOrDefault(PROJECT, ""));
  }

  /** Omits the token, which must not be logged. */
  @Override
  public String toString() {
    return endpoint.map(URI::toString).orElse("Cloud Storage");
  }

  private static URI parse(String text) {
    if (!text.matches("https?://[^/?#]+/?"))
      throw new InvalidInputException(
          ENDPOINT,
          "'"
              + text
              + "' is not an endpoint; write it like http://127.0.0.1:8085, or unset it to use Google's");
    return URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
  }
}
