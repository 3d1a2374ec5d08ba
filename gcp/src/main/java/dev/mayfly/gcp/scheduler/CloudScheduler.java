package dev.mayfly.gcp.scheduler;

import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.gcp.EndpointOverride;
import java.util.Optional;

/** Creates the adapter of {@link TickScheduler} that pauses and resumes a Cloud Scheduler job. */
public final class CloudScheduler {
  private CloudScheduler() {}

  /**
   * Connects at the first call.
   *
   * @param job {@code projects/P/locations/R/jobs/J}, created by Terraform
   * @param endpointOverride replaces the API, at {@code host:port}; empty for Google's own
   */
  public static TickScheduler schedule(String job, Optional<EndpointOverride> endpointOverride) {
    if (!job.matches("projects/[^/]+/locations/[^/]+/jobs/[^/]+")) {
      throw new IllegalArgumentException(
          "Scheduler job '" + job + "' must be projects/P/locations/R/jobs/J");
    }
    return new CloudTickScheduler(job, endpointOverride);
  }
}
