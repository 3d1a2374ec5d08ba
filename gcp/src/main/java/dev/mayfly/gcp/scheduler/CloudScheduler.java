package dev.mayfly.gcp.scheduler;

import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.gcp.EndpointOverride;
import java.util.Optional;

/** Makes the adapter of {@link TickScheduler} that turns one job of Cloud Scheduler on and off. */
public final class CloudScheduler {
  private CloudScheduler() {}

  /**
   * Connects at the first call, not before.
   *
   * @param job {@code projects/P/locations/R/jobs/J}, made by Terraform
   * @param endpointOverride what stands in for the API, at {@code host:port}; empty for Google's
   *     own
   */
  public static TickScheduler schedule(String job, Optional<EndpointOverride> endpointOverride) {
    if (!job.matches("projects/[^/]+/locations/[^/]+/jobs/[^/]+")) {
      throw new IllegalArgumentException(
          "Scheduler job '" + job + "' must be projects/P/locations/R/jobs/J");
    }
    return new CloudTickScheduler(job, endpointOverride);
  }
}
