package dev.mayfly.functions.handler;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.wire.Wire;
import dev.mayfly.wire.text.SingleLineText;
import io.cloudevents.CloudEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A Pub/Sub message as Eventarc delivers it: a CloudEvent of type {@code
 * google.cloud.pubsub.topic.v1.messagePublished}.
 *
 * @param topic its id in the project, from the event and not from the message: its publisher does
 *     not write it; empty if the event comes from no topic
 * @param attributes of the message; {@link PubSubTopics#TRIGGER} marks triggers
 */
record PubSubMessage(
    String id, Instant publishedAt, String topic, byte[] data, Map<String, String> attributes) {
  private static final Pattern SOURCE =
      Pattern.compile("//pubsub\\.googleapis\\.com/projects/[^/]+/topics/([^/]+)");

  private static final int LONGEST_NAME = 100;
  private static final Duration STALE = Duration.ofMinutes(15);

  /** The part of the delivery that is read. */
  record Published(Body message) {
    record Body(
        Optional<String> data,
        String messageId,
        Optional<Instant> publishTime,
        Optional<Map<String, String>> attributes) {}
  }

  /** Throws {@link InvalidInputException} for an event that is not a Pub/Sub message. */
  static PubSubMessage of(CloudEvent event) {
    var data = event.getData();
    if (data == null)
      throw new InvalidInputException(
          "event " + event.getId(), "has no data; is it a Pub/Sub message?");
    var body = Wire.shared().read(Published.class, data.toBytes()).message();
    var at =
        body.publishTime()
            .or(() -> Optional.ofNullable(event.getTime()).map(t -> t.toInstant()))
            .orElseThrow(
                () -> new InvalidInputException("event " + event.getId(), "has no publish time"));
    return new PubSubMessage(
        body.messageId(), at, topic(event), bytes(event, body), body.attributes().orElse(Map.of()));
  }

  private static String topic(CloudEvent event) {
    var source = SOURCE.matcher(String.valueOf(event.getSource()));
    return source.matches() ? source.group(1) : "";
  }

  private static byte[] bytes(CloudEvent event, Published.Body body) {
    try {
      return Base64.getDecoder().decode(body.data().orElse(""));
    } catch (IllegalArgumentException notBase64) {
      throw new InvalidInputException(
          "event " + event.getId(), "its data is not base64: " + notBase64.getMessage());
    }
  }

  /** The message as a user's message from the topic. */
  UserMessage message(MessageTopic messageTopic) {
    var claimed =
        Optional.ofNullable(attributes.get(UserTopic.PUBLISHER))
            .filter(name -> !name.isBlank())
            .map(name -> SingleLineText.of(name.strip(), LONGEST_NAME));
    return new UserMessage(id, publishedAt, messageTopic, claimed, data);
  }

  /**
   * Whether a tick has long done what the message asks. No single trigger or cloud event is
   * essential, and one that crashes its function must not be redelivered forever.
   */
  boolean isStale(Instant now) {
    return publishedAt.plus(STALE).isBefore(now);
  }

  boolean isTrigger() {
    return attributes.containsKey(PubSubTopics.TRIGGER);
  }
}
