package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.Control;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Topic;
import dev.mayfly.gcp.pubsub.Topics;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.time.InstantSource;

/**
 * A topic that users publish to: applies one user's message, or goes on with a job.
 *
 * <p>The topic is the function's own and not what an event says of itself, because the right to
 * publish to it is all that is known of who asks.
 */
final class MessagesFunction implements CloudEventsFunction {
  private final Control control;
  private final Topic topic;
  private final InstantSource clock;

  MessagesFunction(Control control, Topic topic, InstantSource clock) {
    this.control = control;
    this.topic = topic;
    this.clock = clock;
  }

  @Override
  public void accept(CloudEvent event) {
    Edge.event(
        event.getId(),
        () -> {
          var envelope = Envelope.of(event);
          try (var _ = control.call()) {
            if (envelope.hint()) look(envelope);
            else take(envelope.message(topic));
          }
        });
  }

  private void take(Message message) {
    control.redeliveries().take(message, () -> control.intake().receive(message));
  }

  private void look(Envelope envelope) {
    if (envelope.stale(clock.instant())) return;
    var hint = Wire.shared().hint(envelope.data());
    if (Topics.of(hint).equals(topic.id())) control.look(hint);
  }
}
