package dev.mayfly.functions.handler;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.time.InstantSource;

/**
 * A topic that users publish to: applies a user's message, or continues a job.
 *
 * <p>The topic comes from the function and not from the event, because the permission to publish to
 * it is all that is known of the publisher.
 */
public final class MessageHandler implements CloudEventsFunction {
  private final ControlPlane controlPlane;
  private final UserTopic userTopic;
  private final InstantSource clock;

  public MessageHandler(ControlPlane controlPlane, UserTopic userTopic, InstantSource clock) {
    this.controlPlane = controlPlane;
    this.userTopic = userTopic;
    this.clock = clock;
  }

  @Override
  public void accept(CloudEvent event) {
    ErrorBoundary.handleEvent(event, this::handle);
  }

  private void handle(PubSubMessage pubSubMessage) {
    try (var _ = controlPlane.flushOnClose()) {
      if (pubSubMessage.isTrigger()) continueJob(pubSubMessage);
      else apply(pubSubMessage.message(userTopic));
    }
  }

  private void apply(UserMessage userMessage) {
    controlPlane
        .redeliveries()
        .deliver(userMessage, () -> controlPlane.commandHandler().handle(userMessage));
  }

  private void continueJob(PubSubMessage pubSubMessage) {
    if (pubSubMessage.isStale(clock.instant())) return;
    var trigger = Wire.shared().trigger(pubSubMessage.data());
    if (PubSubTopics.of(trigger).equals(userTopic.id())) controlPlane.handle(trigger);
  }
}
