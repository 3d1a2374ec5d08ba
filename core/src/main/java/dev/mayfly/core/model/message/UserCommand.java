package dev.mayfly.core.model.message;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import java.util.Optional;

/** What a user's message asks. The document's {@code kind} says which. */
public sealed interface UserCommand {
  /**
   * @param formerly the name of the cluster that is to be called as the spec says from now on, if
   *     it is not yet
   */
  record ApplyCluster(ClusterSpec spec, Optional<String> formerly) implements UserCommand {
    /** Of a cluster that keeps its name, or begins. */
    public ApplyCluster(ClusterSpec spec) {
      this(spec, Optional.empty());
    }
  }

  /**
   * @param submission an id that the submitter chose, so that a repeated publish is one job; the
   *     message's own id stands in for it
   */
  record SubmitJob(JobSpec spec, Optional<String> submission) implements UserCommand {}

  /** Stops the jobs of that name that were published before this. */
  record StopJob(String cluster, String job) implements UserCommand {}

  /** Runs again what failed or is inconsistent. */
  record RetryJob(String cluster, String job) implements UserCommand {}

  /** Somebody reads the job's logs now: they are to come soon after they are printed. */
  record FollowLogs(String cluster, String job) implements UserCommand {}

  record DownCluster(String cluster) implements UserCommand {}

  record DrainWorker(String cluster, String worker) implements UserCommand {}

  /**
   * A machine of one's own joins a static pool, or comes back.
   *
   * @param worker the name that it has there
   * @param machine names it, and the folder that its agent works in; of one name only the same
   *     comes back
   * @param nonceHash SHA-256 in hex of a value that only the machine knows
   */
  record JoinWorker(String cluster, String pool, String worker, String machine, String nonceHash)
      implements UserCommand {}

  /**
   * Makes a slice by hand: TPUs that are kept, whatever is idle, until they are deleted by hand.
   *
   * @param name the pool's that it becomes; jobs may name it in their pools
   * @param count so many of the type
   * @param reservation which one pays, when it is reserved; the project's own if none is named
   * @param zone where; else where the pool of {@code like} is, or one of its TPU generation
   * @param like the pool whose network and runtime it has
   */
  record CreateSlice(
      String cluster,
      String name,
      String type,
      int count,
      Provisioning provisioning,
      Optional<String> reservation,
      Optional<String> topology,
      Optional<String> zone,
      Optional<String> like)
      implements UserCommand {}

  /** Drains a slice by hand and gives its TPUs back. */
  record DeleteSlice(String cluster, String slice) implements UserCommand {}

  /** Makes of a slice by hand {@code count} of another type, with as many chips. */
  record ReshapeSlice(String cluster, String slice, String type, int count)
      implements UserCommand {}
}
