package dev.mayfly.cli.client;

import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostBy;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Reads what listed jobs cost. */
public final class JobCosts {
  private JobCosts() {}

  /**
   * The costs of the cluster by job, since the first of these was submitted; empty from a control
   * plane of before that cannot tell them.
   */
  public static Optional<ClusterCost> read(
      ApiClient apiClient, String cluster, List<JobStatus> jobs) {
    var since =
        jobs.stream()
            .map(JobStatus::submittedAt)
            .min(Instant::compareTo)
            .map(at -> LocalDate.ofInstant(at, ZoneOffset.UTC));
    return apiClient.cost(cluster, CostBy.JOB, since, Optional.empty());
  }
}
