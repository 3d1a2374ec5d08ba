package dev.mayfly.gcp.pubsub;

import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.wire.Wire;

/** Publishes each notification as one message, and returns when Pub/Sub has accepted it. */
final class PubSubNotificationTopic implements NotificationTopic {
  private final TopicPublisher publisher;

  PubSubNotificationTopic(TopicPublisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public void publish(Notification notification) {
    publisher.publish(
        PubSubTopics.NOTIFICATIONS, Wire.shared().json(notification), notification.attributes());
  }
}
