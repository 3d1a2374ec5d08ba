package dev.mayfly.core.model.message;

import java.time.Instant;
import java.util.Optional;

/**
 * A user's message as it was published.
 *
 * @param topic by which it came; limits what its publisher may ask
 * @param claimed the publisher, as the message itself says; {@link MessageTopic#person} is certain
 */
public record UserMessage(
    String id, Instant publishedAt, MessageTopic topic, Optional<String> claimed, byte[] data) {}
