package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/**
 * Entry point of the function {@code jobs}, on topic {@code mayfly-jobs}: see {@link
 * ControlPlaneFunctions#jobs}.
 */
public final class JobsFunction implements CloudEventsFunction {
  private final CloudEventsFunction entry = FunctionWiring.shared().jobs();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
