package dev.mayfly.sim.fake;

import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.sim.fault.PortHook;

/** The topic as one process sees it. */
public final class HookedNotificationTopic implements NotificationTopic {
  private final NotificationTopic notificationTopic;
  private final PortHook portHook;

  public HookedNotificationTopic(NotificationTopic notificationTopic, PortHook portHook) {
    this.notificationTopic = notificationTopic;
    this.portHook = portHook;
  }

  @Override
  public void publish(Notification notification) {
    portHook.before("notifications.publish");
    notificationTopic.publish(notification);
    portHook.after("notifications.publish");
  }
}
