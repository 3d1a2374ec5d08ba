package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/**
 * Entry point of the function {@code cleanup}, on topic {@code mayfly-ticks}: see {@link
 * ControlPlaneFunctions#cleanup}.
 */
public final class CleanupFunction implements CloudEventsFunction {
  private final CloudEventsFunction entry = FunctionWiring.shared().cleanup();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
