package dev.mayfly.local.pubsub;

import java.net.URI;
import java.util.Optional;

/**
 * The receiver of pushed messages.
 *
 * @param url base URL: messages of topic T, and of T-PERSON, are posted to {@code url/functions/T}
 * @param token sent with each message, if the receiver requires one
 */
public record PushEndpoint(URI url, Optional<String> token) {}
