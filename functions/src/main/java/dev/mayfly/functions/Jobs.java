package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import io.cloudevents.CloudEvent;

/** Topic {@code mayfly-jobs}, as the Functions Framework makes it: see {@link Deployment#jobs}. */
public final class Jobs implements CloudEventsFunction {
  private final CloudEventsFunction entry = Wiring.shared().jobs();

  @Override
  public void accept(CloudEvent event) throws Exception {
    entry.accept(event);
  }
}
