package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/**
 * Entry point of the function {@code notifications}, on topic {@code mayfly-notifications}: see
 * {@link ControlPlaneFunctions#notifications}.
 */
public final class NotificationsFunction implements CloudEventsFunction {
  private final CloudEventsFunction entry = FunctionWiring.shared().notifications();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
