package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/**
 * Entry point of the function {@code autoscale}, on topic {@code mayfly-ticks}: see {@link
 * ControlPlaneFunctions#autoscale}.
 */
public final class AutoscaleFunction implements CloudEventsFunction {
  private final CloudEventsFunction entry = FunctionWiring.shared().autoscale();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
