package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/**
 * Topic {@code mayfly-ticks}: rounds, as the Functions Framework makes it: see {@link
 * Deployment#autoscale}.
 */
public final class Autoscale implements CloudEventsFunction {
  private final CloudEventsFunction entry = Wiring.shared().autoscale();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
