package dev.mayfly.functions.handler;

import com.google.cloud.functions.CloudEventsFunction;
import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.reconcile.MachineEventHandler.Outcome;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topic {@code mayfly-vm-events}: an entry of the audit log about a machine. Anything but the end
 * of a worker's machine is acknowledged and counted only.
 */
public final class VmEventHandler implements CloudEventsFunction {
  private static final Logger LOG = LoggerFactory.getLogger(VmEventHandler.class);

  private final ControlPlane controlPlane;
  private final InstantSource clock;
  private final Map<String, Long> counts = new ConcurrentHashMap<>();

  public VmEventHandler(ControlPlane controlPlane, InstantSource clock) {
    this.controlPlane = controlPlane;
    this.clock = clock;
  }

  @Override
  public void accept(CloudEvent event) {
    ErrorBoundary.handleEvent(event, this::handle);
  }

  private void handle(PubSubMessage pubSubMessage) {
    if (pubSubMessage.isStale(clock.instant())) return;
    var machineEvent = Wire.shared().read(AuditLogEntry.class, pubSubMessage.data()).event();
    var outcome = machineEvent.map(this::apply).map(Outcome::name).orElse("UNKNOWN");
    var count = counts.merge(outcome, 1L, Long::sum);
    LOG.info("{}: {}, {} so far", machineEvent, outcome, count);
  }

  private Outcome apply(MachineEvent event) {
    try (var _ = controlPlane.flushOnClose()) {
      return controlPlane.vmEvents().handle(event);
    }
  }

  /** The number of events with this outcome: an {@link Outcome}, or UNKNOWN. */
  long count(String outcome) {
    return counts.getOrDefault(outcome, 0L);
  }
}
