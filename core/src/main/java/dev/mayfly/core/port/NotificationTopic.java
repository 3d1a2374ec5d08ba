package dev.mayfly.core.port;

import dev.mayfly.core.model.notification.Notification;

/**
 * Publishes notifications for whoever subscribes. An accepted notification is delivered at least
 * once; a repeat is delivered again, with the same id.
 */
public interface NotificationTopic {
  /**
   * Returns when the notification is accepted. Throws {@link
   * dev.mayfly.core.error.UnavailableException} if it is not known to be; it may be delivered
   * nevertheless.
   */
  void publish(Notification notification);
}
