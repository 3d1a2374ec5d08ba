package dev.mayfly.functions.handler;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.time.InstantSource;

/**
 * The topics that users publish to for one kind of commands, that of all and each person's own:
 * applies a user's message, or continues a job.
 *
 * <p>The kind comes from the function and not from the event, because the permission to publish is
 * all that is known of the publisher. Whose topic it is comes from the event's source, which Google
 * writes; an event from any other topic is refused.
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
      var topic = MessageTopic.ofId(pubSubMessage.topic()).filter(it -> it.carries() == userTopic);
      if (topic.isEmpty()) refuse(pubSubMessage, otherTopic(pubSubMessage.topic()));
      else if (!pubSubMessage.isTrigger()) apply(pubSubMessage.message(topic.get()));
      else if (topic.get().person().isEmpty()) continueJob(pubSubMessage);
      else
        refuse(
            pubSubMessage,
            "the attribute %s is Mayfly's own, and %s is a person's; leave it out"
                .formatted(PubSubTopics.TRIGGER, topic.get().id()));
    }
  }

  private String otherTopic(String topic) {
    return "%s, and its function takes messages of %s and of %s-PERSON only, where PERSON has 1 to 40 of a-z, 0-9 and -, a letter first; make the topic with Terraform (people.personal)"
        .formatted(
            topic.isEmpty() ? "the message came by no topic" : "the message came by topic " + topic,
            userTopic.id(),
            userTopic.id());
  }

  private void refuse(PubSubMessage pubSubMessage, String why) {
    var userMessage = pubSubMessage.message(MessageTopic.ofAll(userTopic));
    controlPlane.commandHandler().refuse(userMessage, new InputError("topic", why));
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
