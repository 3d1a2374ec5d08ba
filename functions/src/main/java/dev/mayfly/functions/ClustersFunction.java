package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/**
 * Entry point of the function {@code clusters}, on topic {@code mayfly-clusters}: see {@link
 * ControlPlaneFunctions#clusters}.
 */
public final class ClustersFunction implements CloudEventsFunction {
  private final CloudEventsFunction entry = FunctionWiring.shared().clusters();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
