package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.Control;
import dev.mayfly.core.control.Looked;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
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

  /** For how long a call goes on with rounds that others ask for meanwhile. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final Control control;
  private final Role role;
  private final Alarms alarms;
  private final InstantSource clock;

  TicksFunction(Control control, Role role, Alarms alarms, InstantSource clock) {
    this.control = control;
    this.role = role;
    this.alarms = alarms;
    this.clock = clock;
  }

  /**
   * Rounds that may not begin yet begin inside this call: between two calls an instance may have no
   * processor.
   */
  private void look(Hint hint) {
    try (var _ = control.call()) {
      goOn(told(control.look(hint)), clock.instant().plus(LONGEST));
    }
  }

  private void goOn(Optional<Looked.Later> first, Instant due) {
    var later = first;
    while (later.isPresent()) {
      if (later.get().at().isAfter(due) || !await(later.get().at())) {
        control.passOn(later.get());
        return;
      }
      later = told(control.resume(later.get()));
    }
  }

  private Optional<Looked.Later> told(Looked looked) {
    looked.troubles().forEach(trouble -> LOG.warn("{}: {}", role, trouble));
    return looked.later();
  }

  /** False if the process is to end. */
  private boolean await(Instant at) {
    var rung = new CountDownLatch(1);
    alarms.at(at, rung::countDown);
    try {
      rung.await();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
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
