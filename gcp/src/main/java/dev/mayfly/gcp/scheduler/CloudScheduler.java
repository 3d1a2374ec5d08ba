package dev.mayfly.gcp.scheduler;

import dev.mayfly.core.port.Schedule;
import dev.mayfly.gcp.StandIn;
import java.util.Optional;

/** Makes the adapter of {@link Schedule} that turns one job of Cloud Scheduler on and off. */
public final class CloudScheduler {
  private CloudScheduler() {}

  /**
   * Connects at the first call, not before.
   *
   * @param job {@code projects/P/locations/R/jobs/J}, made by Terraform
   * @param standIn what stands in for the API, at {@code host:port}; empty for Google's own
   */
  public static Schedule schedule(String job, Optional<StandIn> standIn) {
    if (!job.matches("projects/[^/]+/locations/[^/]+/jobs/[^/]+")) {
      throw new IllegalArgumentException(
          "Scheduler job '" + job + "' must be projects/P/locations/R/jobs/J");
    }
    return new JobSchedule(job, standIn);
  }
}
