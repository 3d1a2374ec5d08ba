package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.Control;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Topic;
import dev.mayfly.gcp.pubsub.Topics;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;

/**
 * A topic that users publish to: applies one user's message, or goes on with a job.
 *
 * <p>The topic is the function's own and not what an event says of itself, because the right to
 * publish to it is all that is known of who asks.
 */
final class MessagesFunction implements CloudEventsFunction {
  private final Control control;
  private final Topic topic;

  MessagesFunction(Control control, Topic topic) {
    this.control = control;
    this.topic = topic;
  }

  @Override
  public void accept(CloudEvent event) {
    Edge.event(
        event.getId(),
        () -> {
          var envelope = Envelope.of(event);
          if (envelope.hint()) look(Wire.shared().hint(envelope.data()));
          else control.intake().receive(envelope.message(topic));
        });
  }

  private void look(Hint hint) {
    if (Topics.of(hint).equals(topic.id())) control.look(hint);
  }
}
