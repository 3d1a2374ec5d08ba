package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.Control;
import dev.mayfly.core.model.Hint;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topic {@code mayfly-ticks}, once for {@code autoscale} and once for {@code cleanup}, which share
 * no failure.
 */
final class TicksFunction implements CloudEventsFunction {
  /** What this one looks after. */
  enum Role {
    AUTOSCALE,
    CLEANUP
  }

  private static final Logger LOG = LoggerFactory.getLogger(TicksFunction.class);

  private final Control control;
  private final Role role;
  private final InstantSource clock;

  TicksFunction(Control control, Role role, InstantSource clock) {
    this.control = control;
    this.role = role;
    this.clock = clock;
  }

  private void look(Hint hint) {
    try (var _ = control.call()) {
      control.look(hint).forEach(trouble -> LOG.warn("{}: {}", role, trouble));
    }
  }

  @Override
  public void accept(CloudEvent event) {
    Edge.event(
        event.getId(),
        () -> {
          var envelope = Envelope.of(event);
          if (envelope.stale(clock.instant())) return;
          var hint = Wire.shared().hint(envelope.data());
          switch (hint) {
            case Hint.Tick t when role == Role.CLEANUP -> look(new Hint.Sweep());
            case Hint.Sweep s when role == Role.CLEANUP -> look(s);
            case Hint.Tick t when role == Role.AUTOSCALE -> look(t);
            case Hint.Look l when role == Role.AUTOSCALE -> look(l);
            default -> {
              // The other function's, or one that another topic carries.
            }
          }
        });
  }
}
