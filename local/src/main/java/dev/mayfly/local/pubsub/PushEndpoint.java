package dev.mayfly.local.pubsub;

import java.net.URI;
import java.util.Optional;

/**
 * Where messages are pushed.
 *
 * @param url a message of topic T is posted to {@code url/functions/T}
 * @param token shown with each, if the receiver wants one
 */
public record PushEndpoint(URI url, Optional<String> token) {
  public PushEndpoint(URI url) {
    this(url, Optional.empty());
  }
}
