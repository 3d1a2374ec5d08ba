package dev.mayfly.cli.client;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.estimate.JobEstimate;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads when listed jobs may be done. */
public final class JobEnds {
  /** An answer costs the control plane some dozens of reads. */
  private static final int MOST_JOBS = 10;

  private JobEnds() {}

  /**
   * How long the newest ten of those that run may go on, such as {@code 5m to 7m}, by uid. Those
   * are left out whose end is not known or not answered.
   */
  public static Map<String, String> read(ApiClient apiClient, List<JobStatus> jobs, Instant now) {
    var ends = new HashMap<String, String>();
    try (var reads = new ParallelReads()) {
      var begun = new HashMap<String, ParallelReads.Begun<Optional<JobEstimate.Rest>>>();
      jobs.stream()
          .filter(job -> job.state().equals("running") && job.totals().leased() > 0)
          .limit(MOST_JOBS)
          .forEach(job -> begun.put(job.uid(), reads.begin(() -> rest(apiClient, job))));
      begun.forEach((uid, rest) -> rest.get().ifPresent(it -> ends.put(uid, it.span(now))));
    }
    return ends;
  }

  /** Empty if it is not known, or not answered: a list is complete without it. */
  public static Optional<JobEstimate.Rest> rest(ApiClient apiClient, JobStatus job) {
    return read(apiClient, job).flatMap(JobEstimate::rest);
  }

  /** What the control plane says of the job's end; empty if it does not answer. */
  public static Optional<JobEstimate> read(ApiClient apiClient, JobStatus job) {
    try {
      return apiClient.estimate(job.cluster(), job.uid());
    } catch (MayflyException | CommandException unanswered) {
      return Optional.empty();
    }
  }
}
