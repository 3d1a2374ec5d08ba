package dev.mayfly.local.pubsub;

import java.time.Instant;
import java.util.Map;

/**
 * An accepted message.
 *
 * @param topic its full name: {@code projects/P/topics/T}
 * @param data base64
 */
record PublishedMessage(
    String id, String topic, Instant publishTime, String data, Map<String, String> attributes) {
  PublishedMessage {
    attributes = Map.copyOf(attributes);
  }

  /** The topic's short name. */
  String topicId() {
    return topic.substring(topic.lastIndexOf('/') + 1);
  }

  String subscription() {
    return topic.replace("/topics/", "/subscriptions/") + "-push";
  }
}
