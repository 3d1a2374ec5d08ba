package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.port.Fleet;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a cluster must have and allow to accept a job: workers with room for it, the rights that it
 * asks for, and a container engine if it names an image. Makes no cloud call.
 */
public record JobAdmission(Fleet fleet) {
  /** Throws {@link InvalidInputException} for what the user must fix. */
  void check(JobSpec spec, ClusterSpec cluster) {
    Feasibility.check(spec, cluster)
        .ifPresent(no -> {
          throw new InvalidInputException(no.field(), no.message());
        });
    checkRights(spec, cluster);
    checkSubmitter(spec, cluster);
    checkImage(spec, cluster);
  }

  /** If the cluster later stops allowing a right, tasks that start from then on do not have it. */
  private static void checkRights(JobSpec spec, ClusterSpec cluster) {
    var requested = spec.run().rights();
    var allowed = cluster.allows();
    var where = "cluster " + spec.cluster() + " does not allow it; its file can, with allow: [";
    if (requested.root() && !allowed.root())
      throw new InvalidInputException("user", "is root; " + where + "root]");
    if (requested.metadata() && !allowed.metadata())
      throw new InvalidInputException("metadata", "is true; " + where + "metadata]");
    if (requested.submitter() && !allowed.submitter())
      throw new InvalidInputException("submitter", "is true; " + where + "submitter]");
  }

  /** The third that must agree, after the job and its cluster: the deployment. */
  private void checkSubmitter(JobSpec spec, ClusterSpec cluster) {
    if (!spec.run().rights().submitter()) return;
    var without = without(spec, cluster, fleet::whyNoSubmitters);
    if (!without.isEmpty())
      throw new InvalidInputException(
          "submitter",
          "is true, and in pools that the job may use tasks cannot submit (%s); or name others in the job's pools"
              .formatted(without));
  }

  /** The pools that the job may use and the fleet has a reason against, with their reasons. */
  private static String without(
      JobSpec spec, ClusterSpec cluster, Function<PoolSpec, Optional<String>> reason) {
    return cluster.pools().stream()
        .filter(pool -> Feasibility.mayRun(spec, pool))
        .flatMap(pool -> reason.apply(pool).map(why -> pool.name() + ": " + why).stream())
        .collect(Collectors.joining("; "));
  }

  /** Without a container engine, every attempt on the pool's machines would fail. */
  private void checkImage(JobSpec spec, ClusterSpec cluster) {
    if (spec.in(cluster).run().image().isEmpty()) return;
    var without = without(spec, cluster, pool -> fleet.whyNoContainers(cluster, pool));
    if (without.isEmpty()) return;
    throw new InvalidInputException(
        "image",
        "needs a container engine, and pools that the job may use have none (%s); %sgive these a boot image that has docker (machine.image), or name others in the job's pools"
            .formatted(
                without,
                cluster.image().isEmpty()
                    ? "write image in the cluster's file too, for which new machines install docker, or "
                    : ""));
  }
}
