package dev.mayfly.local.control;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.wire.Wire;
import java.util.Map;

/** Publishes triggers to the simulated cloud's Pub/Sub API. */
final class LocalTriggerBus implements TriggerBus {
  private final CloudPublisher publisher;

  LocalTriggerBus(CloudPublisher publisher) {
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
