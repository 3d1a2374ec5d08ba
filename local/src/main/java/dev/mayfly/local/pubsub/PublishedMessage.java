package dev.mayfly.local.pubsub;

import dev.mayfly.core.model.message.MessageTopic;
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

  /** The topic whose function takes the message: a person's own has that of all. */
  String functionTopic() {
    return MessageTopic.ofId(topicId()).map(it -> it.carries().id()).orElse(topicId());
  }

  String subscription() {
    return topic.replace("/topics/", "/subscriptions/") + "-push";
  }
}
