package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/**
 * Entry point of the function for topic {@code mayfly-vm-events}, the audit log's entries about
 * machines: see {@link ControlPlaneFunctions#vmEvents}.
 */
public final class VmEventsFunction implements CloudEventsFunction {
  private final CloudEventsFunction entry = FunctionWiring.shared().vmEvents();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
