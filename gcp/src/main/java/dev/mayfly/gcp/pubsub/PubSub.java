package dev.mayfly.gcp.pubsub;

import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.core.port.TriggerBus;

/** What is published to Pub/Sub: one instance serves a whole process and is thread-safe. */
public final class PubSub {
  private final TopicPublisher publisher;

  /** Connects at the first message. */
  public PubSub(PubSubSettings settings) {
    publisher = new TopicPublisher(settings);
  }

  public TriggerBus bus() {
    return new TopicTriggerBus(publisher);
  }

  public NotificationTopic notifications() {
    return new PubSubNotificationTopic(publisher);
  }
}
