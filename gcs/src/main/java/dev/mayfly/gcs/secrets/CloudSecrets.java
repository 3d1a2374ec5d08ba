package dev.mayfly.gcs.secrets;

import dev.mayfly.core.port.Secrets;
import java.util.function.Supplier;

/** Creates the adapter of {@link Secrets} that reads Google's Secret Manager. */
public final class CloudSecrets {
  /** Google's own endpoint. */
  public static final String ENDPOINT = "https://secretmanager.googleapis.com";

  private CloudSecrets() {}

  /**
   * @param endpoint such as {@value #ENDPOINT}
   * @param project called at the first secret
   * @param token a valid access token; may throw {@link dev.mayfly.core.error.UnavailableException}
   */
  public static Secrets reader(String endpoint, Supplier<String> project, Supplier<String> token) {
    return new GoogleSecrets(endpoint, project, token);
  }
}
