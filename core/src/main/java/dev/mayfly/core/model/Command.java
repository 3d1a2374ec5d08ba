package dev.mayfly.core.model;

import java.util.Optional;

/** What a user's message asks. The document's {@code kind} says which. */
public sealed interface Command {
  record ApplyCluster(ClusterSpec spec) implements Command {}

  /**
   * @param submission an id that the submitter chose, so that a repeated publish is one job; the
   *     message's own id stands in for it
   */
  record SubmitJob(JobSpec spec, Optional<String> submission) implements Command {}

  /** Stops the jobs of that name that were published before this. */
  record StopJob(String cluster, String job) implements Command {}

  /** Runs again what failed or is inconsistent. */
  record RetryJob(String cluster, String job) implements Command {}

  record DownCluster(String cluster) implements Command {}

  record DrainWorker(String cluster, String worker) implements Command {}
}
