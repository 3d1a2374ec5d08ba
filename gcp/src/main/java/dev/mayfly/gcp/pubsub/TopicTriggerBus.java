package dev.mayfly.gcp.pubsub;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.wire.Wire;
import java.util.Map;

/** Publishes each trigger as one message, and returns when Pub/Sub has accepted it. */
final class TopicTriggerBus implements TriggerBus {
  private final TopicPublisher publisher;

  TopicTriggerBus(TopicPublisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public void send(Trigger trigger) {
    publisher.publish(
        PubSubTopics.of(trigger),
        Wire.shared().trigger(trigger),
        Map.of(PubSubTopics.TRIGGER, "1"));
  }
}
