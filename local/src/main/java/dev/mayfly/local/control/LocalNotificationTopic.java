package dev.mayfly.local.control;

import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.wire.Wire;

/** Publishes notifications to the simulated cloud's Pub/Sub API. */
final class LocalNotificationTopic implements NotificationTopic {
  private final CloudPublisher publisher;

  LocalNotificationTopic(CloudPublisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public void publish(Notification notification) {
    publisher.publish(
        PubSubTopics.NOTIFICATIONS, Wire.shared().json(notification), notification.attributes());
  }
}
