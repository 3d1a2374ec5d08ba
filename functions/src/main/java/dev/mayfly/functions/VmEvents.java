package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/**
 * Topic {@code mayfly-vm-events}: the audit log's entries about machines, as the Functions
 * Framework makes it: see {@link Deployment#vmEvents}.
 */
public final class VmEvents implements CloudEventsFunction {
  private final CloudEventsFunction entry = Wiring.shared().vmEvents();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
