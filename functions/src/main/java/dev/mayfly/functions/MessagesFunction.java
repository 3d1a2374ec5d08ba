package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.Control;
import dev.mayfly.core.model.Hint;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;

/**
 * Topics {@code mayfly-jobs} and {@code mayfly-clusters}: applies one user's message, or goes on
 * with a job.
 */
final class MessagesFunction implements CloudEventsFunction {
  /** Which of Mayfly's own messages the topic carries. */
  enum Hints {
    NONE,
    OF_JOBS
  }

  private final Control control;
  private final Hints hints;

  MessagesFunction(Control control, Hints hints) {
    this.control = control;
    this.hints = hints;
  }

  @Override
  public void accept(CloudEvent event) {
    Edge.event(
        event.getId(),
        () -> {
          var envelope = Envelope.of(event);
          try (var _ = control.call()) {
            if (envelope.hint()) look(Wire.shared().hint(envelope.message().data()));
            else control.intake().receive(envelope.message());
          }
        });
  }

  private void look(Hint hint) {
    var ours = hint instanceof Hint.Expand || hint instanceof Hint.Audit;
    if (ours && hints == Hints.OF_JOBS) control.look(hint);
  }
}
