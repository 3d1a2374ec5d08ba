package dev.mayfly.wire;

import java.time.Instant;

/**
 * The content of {@code $MAYFLY_TOKEN_FILE}: tokens of a task that may submit jobs. Whoever uses
 * one reads the file anew, because it is replaced before its tokens expire.
 *
 * @param accessToken for Pub/Sub and Cloud Storage
 * @param identityToken for the function {@code api}
 * @param expires when neither is valid any more
 */
public record SubmitterCredentials(String accessToken, String identityToken, Instant expires) {
  /** Hides the tokens from logs. */
  @Override
  public String toString() {
    return "tokens until " + expires;
  }
}
