package dev.mayfly.core.clusters;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;

/** What a cluster's new file may not change now; the command that publishes it asks first. */
public final class ClusterChangeRules {
  private ClusterChangeRules() {}

  /** Throws {@link InvalidInputException} while the cluster is being taken down. */
  public static void checkStays(String cluster, boolean going) {
    if (going)
      throw new InvalidInputException(
          "name",
          "cluster %s is being taken down, and some of its machines are still there; bring it up again when it is gone (mayfly status)"
              .formatted(cluster));
  }

  /**
   * Throws {@link InvalidInputException} if the bucket changes under jobs: task lists, logs and
   * outputs of a live job are in the bucket that it started with.
   */
  public static void checkBucket(ClusterSpec was, ClusterSpec next, long liveJobs) {
    if (liveJobs == 0 || was.bucket().equals(next.bucket())) return;
    throw new InvalidInputException(
        "bucket",
        "cluster %s keeps what its live jobs (%d) need in %s; wait until they end, or stop them, and then change it to %s"
            .formatted(was.name(), liveJobs, was.bucket(), next.bucket()));
  }
}
