package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/**
 * Topic {@code mayfly-ticks}: the cloud compared with the ledger, as the Functions Framework makes
 * it: see {@link ControlPlaneFunctions#cleanup}.
 */
public final class CleanupFunction implements CloudEventsFunction {
  private final CloudEventsFunction entry = FunctionWiring.shared().cleanup();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
