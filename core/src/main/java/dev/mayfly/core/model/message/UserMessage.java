package dev.mayfly.core.model.message;

import java.time.Instant;
import java.util.Optional;

/**
 * A user's message as it was published.
 *
 * @param topic which one it came by, and so what its publisher may ask
 * @param publisher who published it, as the message itself claims: Pub/Sub does not tell
 */
public record UserMessage(
    String id, Instant publishedAt, UserTopic topic, Optional<String> publisher, byte[] data) {
  /** Of a publisher that claims no name. */
  public UserMessage(String id, Instant publishedAt, UserTopic topic, byte[] data) {
    this(id, publishedAt, topic, Optional.empty(), data);
  }
}
