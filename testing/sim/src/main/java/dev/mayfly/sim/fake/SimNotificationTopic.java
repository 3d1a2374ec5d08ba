package dev.mayfly.sim.fake;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fault.FaultInjector;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Delivers each accepted notification to its subscribers after a delay: once, twice or late, and
 * never not at all. One whose acceptance its sender does not learn of may be delivered too.
 */
public final class SimNotificationTopic implements NotificationTopic {
  private final SimTime time;
  private final SimRandom simRandom;
  private final FaultInjector faultInjector;
  private final Consumer<Notification> subscribers;

  public SimNotificationTopic(
      SimTime time,
      SimRandom simRandom,
      FaultInjector faultInjector,
      Consumer<Notification> subscribers) {
    this.time = time;
    this.simRandom = simRandom;
    this.faultInjector = faultInjector;
    this.subscribers = subscribers;
  }

  @Override
  public void publish(Notification notification) {
    if (faultInjector.strikes(Fault.NOTIFICATION_REFUSED))
      throw new UnavailableException("the topic did not accept " + notification.id());
    deliver(notification);
    if (faultInjector.strikes(Fault.NOTIFICATION_DUPLICATE)) deliver(notification);
    if (faultInjector.strikes(Fault.NOTIFICATION_REPLY_LOST))
      throw new UnavailableException("no reply came about " + notification.id());
  }

  private void deliver(Notification notification) {
    var delay =
        faultInjector.strikes(Fault.NOTIFICATION_LATE)
            ? faultInjector.dice(Fault.NOTIFICATION_LATE).seconds(1, 300)
            : Duration.ofMillis(simRandom.between(5, 60));
    time.after(delay, () -> subscribers.accept(notification));
  }
}
