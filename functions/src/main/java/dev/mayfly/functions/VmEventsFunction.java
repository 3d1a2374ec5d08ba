package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.Control;
import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.control.VmEvents.Outcome;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topic {@code mayfly-vm-events}: an entry of the audit log about a machine. What is not the end of
 * a worker's machine is acknowledged, counted and left.
 */
final class VmEventsFunction implements CloudEventsFunction {
  private static final Logger LOG = LoggerFactory.getLogger(VmEventsFunction.class);

  private final Control control;
  private final InstantSource clock;
  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

  VmEventsFunction(Control control, InstantSource clock) {
    this.control = control;
    this.clock = clock;
  }

  @Override
  public void accept(CloudEvent event) {
    Edge.event(
        event.getId(),
        () -> {
          var envelope = Envelope.of(event);
          if (envelope.stale(clock.instant())) return;
          var told = Wire.shared().read(AuditEntry.class, envelope.data()).event();
          var outcome = told.map(this::take).map(Outcome::name).orElse("UNKNOWN");
          var count = counts.computeIfAbsent(outcome, _ -> new AtomicLong()).incrementAndGet();
          LOG.info("{}: {}, {} of these so far", told, outcome, count);
        });
  }

  private Outcome take(MachineEvent event) {
    try (var _ = control.call()) {
      return control.vmEvents().take(event);
    }
  }

  /** Events so far, by what they were: an {@link Outcome}, or UNKNOWN. */
  long count(String outcome) {
    var count = counts.get(outcome);
    return count == null ? 0 : count.get();
  }
}
