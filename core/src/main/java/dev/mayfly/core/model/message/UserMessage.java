package dev.mayfly.core.model.message;

import java.time.Instant;
import java.util.Optional;

/**
 * A user's message as it was published.
 *
 * @param topic by which it came; limits what its publisher may ask
 * @param publisher as the message itself claims: Pub/Sub does not tell
 */
public record UserMessage(
    String id, Instant publishedAt, UserTopic topic, Optional<String> publisher, byte[] data) {}
