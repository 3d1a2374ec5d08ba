package dev.mayfly.functions.handler;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.functions.webhook.WebhookDelivery;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Topic {@code mayfly-notifications}: posts each notification to the webhook of its cluster. */
public final class NotificationHandler implements CloudEventsFunction {
  private static final Logger LOG = LoggerFactory.getLogger(NotificationHandler.class);

  /** A receiver that was away for longer hears of what is new only. */
  private static final Duration KEPT = Duration.ofHours(24);

  private final WebhookDelivery webhookDelivery;
  private final InstantSource clock;

  public NotificationHandler(WebhookDelivery webhookDelivery, InstantSource clock) {
    this.webhookDelivery = webhookDelivery;
    this.clock = clock;
  }

  @Override
  public void accept(CloudEvent event) {
    ErrorBoundary.handleEvent(event, this::handle);
  }

  private void handle(PubSubMessage pubSubMessage) {
    var notification = Wire.shared().read(Notification.class, pubSubMessage.data());
    if (pubSubMessage.publishedAt().plus(KEPT).isBefore(clock.instant()))
      LOG.warn(
          "notification {} of cluster {} was not delivered within {}; dropping it",
          notification.id(),
          notification.cluster(),
          KEPT);
    else webhookDelivery.deliver(notification, pubSubMessage.publishedAt());
  }
}
