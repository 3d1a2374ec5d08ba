package dev.mayfly.local.cloud.pubsub;

import java.time.Instant;
import java.util.Map;

/**
 * A message that was accepted.
 *
 * @param topic its full name: {@code projects/P/topics/T}
 * @param data base64
 */
record Published(
    String id, String topic, Instant publishTime, String data, Map<String, String> attributes) {
  Published {
    attributes = Map.copyOf(attributes);
  }

  /** The topic's own name. */
  String topicId() {
    return topic.substring(topic.lastIndexOf('/') + 1);
  }

  String subscription() {
    return topic.replace("/topics/", "/subscriptions/") + "-push";
  }
}
