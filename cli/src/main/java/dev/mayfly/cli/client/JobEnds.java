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
import java.util.stream.Stream;

/** Reads when listed jobs may start or be done. */
public final class JobEnds {
  /** An answer costs the control plane some dozens of reads. */
  private static final int MOST_JOBS = 10;

  private JobEnds() {}

  /**
   * How long the newest ten of those that run may go on, such as {@code 5m to 7m}, and when the
   * newest ten of those that wait may start, such as {@code starts in 3m to 6m}, by uid. Those are
   * left out of which it is not known or not answered.
   */
  public static Map<String, String> read(ApiClient apiClient, List<JobStatus> jobs, Instant now) {
    var words = new HashMap<String, String>();
    try (var reads = new ParallelReads()) {
      var begun = new HashMap<String, ParallelReads.Begun<Optional<String>>>();
      Stream.concat(
              jobs.stream().filter(JobEnds::runs).limit(MOST_JOBS),
              jobs.stream().filter(JobEnds::waits).limit(MOST_JOBS))
          .forEach(job ->
              begun.put(
                  job.uid(),
                  reads.begin(() -> read(apiClient, job).flatMap(it -> words(it, now)))));
      begun.forEach((uid, text) -> text.get().ifPresent(it -> words.put(uid, it)));
    }
    return words;
  }

  private static Optional<String> words(JobEstimate estimate, Instant now) {
    return estimate.start().isPresent()
        ? estimate.start().flatMap(it -> it.spread()).map(it -> "starts " + it.words(now))
        : estimate.rest().map(it -> it.span(now));
  }

  private static boolean runs(JobStatus job) {
    return job.state().equals("running") && job.totals().leased() > 0;
  }

  /** Whether it waits for machines, or for other jobs. */
  public static boolean waits(JobStatus job) {
    return job.state().equals("waiting")
        || (job.state().equals("running")
            && job.totals().leased() == 0
            && job.totals().ready() > 0);
  }

  /** What the control plane says of it; empty if it does not answer: a list is complete without. */
  public static Optional<JobEstimate> read(ApiClient apiClient, JobStatus job) {
    try {
      return apiClient.estimate(job.cluster(), job.uid());
    } catch (MayflyException | CommandException unanswered) {
      return Optional.empty();
    }
  }
}
