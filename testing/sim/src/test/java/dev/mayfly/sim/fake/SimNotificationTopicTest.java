package dev.mayfly.sim.fake;

import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.porttests.NotificationTopicContract;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fault.FaultInjector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

class SimNotificationTopicTest extends NotificationTopicContract {
  private final SimTime time = new SimTime(DocumentFixtures.T0);
  private final Queue<Notification> arrived = new ArrayDeque<>();
  private final SimNotificationTopic topic =
      new SimNotificationTopic(
          time, new SimRandom(7), FaultInjector.none(new Trace(time, 1)), arrived::add);

  @Override
  protected NotificationTopic topic() {
    return topic;
  }

  @Override
  protected Told next() {
    time.advance(Duration.ofMinutes(1));
    var notification = arrived.remove();
    return new Told(notification, notification.attributes());
  }
}
