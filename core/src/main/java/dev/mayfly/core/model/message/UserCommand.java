package dev.mayfly.core.model.message;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import java.util.Optional;

/** A user's command. The document's {@code kind} selects the type. */
public sealed interface UserCommand {
  /**
   * @param formerly the name of a cluster to rename as the spec says, unless that was already done
   */
  record ApplyCluster(ClusterSpec spec, Optional<String> formerly) implements UserCommand {
    /** For a cluster that keeps its name, or is new. */
    public ApplyCluster(ClusterSpec spec) {
      this(spec, Optional.empty());
    }
  }

  /**
   * @param submission an id that the submitter chose, so that a repeated publish creates one job;
   *     by default the message's own id
   */
  record SubmitJob(JobSpec spec, Optional<String> submission) implements UserCommand {}

  /** Stops the jobs of that name that were published before this command. */
  record StopJob(String cluster, String job) implements UserCommand {}

  /** Runs tasks again that failed or are inconsistent. */
  record RetryJob(String cluster, String job) implements UserCommand {}

  /** A user follows the job's logs: they must arrive soon after they are printed. */
  record FollowLogs(String cluster, String job) implements UserCommand {}

  record DownCluster(String cluster) implements UserCommand {}

  record DrainWorker(String cluster, String worker) implements UserCommand {}

  /**
   * A static worker joins a pool, or rejoins it.
   *
   * @param worker its name in the pool
   * @param machine identifies the machine and the agent's folder; only the same machine may rejoin
   *     under a name
   * @param nonceHash SHA-256 in hex of a value that only the machine knows
   */
  record JoinWorker(String cluster, String pool, String worker, String machine, String nonceHash)
      implements UserCommand {}

  /**
   * Creates a manual slice: TPUs that are kept, even idle, until they are deleted by command.
   *
   * @param name of its new pool; jobs may name it in their pools
   * @param count how many of the type
   * @param reservation that pays, when provisioning is reserved; by default the project's own
   * @param zone by default that of the pool {@code like}, or of one with its TPU generation
   * @param like the pool whose network and runtime it uses
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

  /** Drains a manual slice and gives its TPUs back. */
  record DeleteSlice(String cluster, String slice) implements UserCommand {}

  /** Turns a manual slice into {@code count} of another type, with as many chips. */
  record ReshapeSlice(String cluster, String slice, String type, int count)
      implements UserCommand {}
}
