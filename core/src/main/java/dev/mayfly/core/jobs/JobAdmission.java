package dev.mayfly.core.jobs;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.jobs.items.StoredItems;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.Fleet;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Whether a cluster accepts a job, for a submission and its dry run alike: it has workers with room
 * for the job, the rights that the job asks for and a container engine if it names an image; the
 * tasks and their outputs break no rule; and the data are near.
 *
 * @param lister of the job's tasks
 */
public record JobAdmission(PoolLimits poolLimits, TaskLister lister, DataLocality dataLocality) {
  /** What a pool's machines cannot do, with the remedy. Decided without a call of a cloud. */
  public interface PoolLimits {
    /** Why they run no containers. */
    Optional<String> whyNoContainers(ClusterSpec cluster, PoolSpec pool);

    /** Why their tasks submit no jobs. */
    Optional<String> whyNoSubmitters(PoolSpec pool);

    static PoolLimits of(Fleet fleet) {
      return new PoolLimits() {
        @Override
        public Optional<String> whyNoContainers(ClusterSpec cluster, PoolSpec pool) {
          return fleet.whyNoContainers(cluster, pool);
        }

        @Override
        public Optional<String> whyNoSubmitters(PoolSpec pool) {
          return fleet.whyNoSubmitters(pool);
        }
      };
    }
  }

  /**
   * A job that is accepted, if its name is free and the queue has room.
   *
   * @param spec with the locations of its data
   * @param first its first tasks; none yet if it waits for other jobs
   */
  public record Admitted(JobSpec spec, TaskLister.TaskBatch first) {}

  /**
   * Throws {@link InvalidInputException} for what the user must fix. Lists the first inputs.
   *
   * @param uid of the job, for outputs that are named by it
   */
  public Admitted admit(JobSpec spec, ClusterSpec cluster, String uid) {
    check(spec, cluster);
    var waits = !spec.admission().after().isEmpty();
    var list = BucketLayout.of(cluster.bucket()).gathered(uid);
    var first = waits ? lister.unlisted(spec, list) : lister.next(spec, list, "", 0);
    if (first.counted() == 0 && !waits && !(spec.tasks() instanceof TaskSource.Open))
      throw new InvalidInputException("tasks", TaskLister.nothing(spec, first));
    TaskListCheck.check(spec, first.counted(), first.complete() && !waits, cluster);
    var outputUrls = OutputUrls.checked(spec, cluster, uid, first.items());
    var locations = dataLocality.check(spec, cluster, first, outputUrls.urls());
    return new Admitted(spec.withPlacement(spec.place().withLocations(locations)), first);
  }

  /**
   * The same with all tasks and not only the first: a job whose list is long is accepted before its
   * whole list is checked, and fails if that breaks a rule.
   */
  public Admitted admitAll(JobSpec spec, ClusterSpec cluster, String uid) {
    var admitted = admit(spec, cluster, uid);
    if (admitted.first().complete() || !spec.admission().after().isEmpty()) return admitted;
    var list = BucketLayout.of(cluster.bucket()).gathered(uid);
    var all = lister.whole(spec, list, admitted.first());
    TaskListCheck.check(spec, all.counted(), true, cluster);
    OutputUrls.checked(spec, cluster, uid, all.items());
    return new Admitted(admitted.spec(), all);
  }

  /** The refusal of a job while another one with its name is live. */
  public static InvalidInputException nameTaken(JobSpec spec) {
    return new InvalidInputException(
        "name",
        "a job named %s is live on cluster %s with other content; stop it (mayfly stop %s) or choose another name"
            .formatted(spec.address(), spec.cluster(), spec.address()));
  }

  /**
   * What can be said of a job whose tasks may still change: whether the cluster has workers with
   * room for it, and the rights that it asks for.
   */
  public void check(JobSpec spec, ClusterSpec cluster) {
    Feasibility.check(spec, cluster)
        .ifPresent(no -> {
          throw new InvalidInputException(no.field(), no.message());
        });
    checkRights(spec, cluster);
    checkSubmitter(spec, cluster);
    StoredItems.checkPlace(spec.tasks(), cluster);
    checkImage(spec, cluster);
    checkRunner(spec.in(cluster), cluster);
  }

  private static void checkRunner(JobSpec spec, ClusterSpec cluster) {
    if (spec.run().taskEnvironment().runner().isEmpty()) return;
    checkRunnerHosts(spec, cluster);
    var image = spec.run().image();
    if (image.isEmpty()) return;
    throw new InvalidInputException(
        "runner",
        "is not for containers yet, and tasks of this job run in %s; leave runner out, or the image of the job and of its cluster, whose python: may give tasks their packages"
            .formatted(image.get()));
  }

  /** A slice of several hosts runs one task on all of them. */
  private static void checkRunnerHosts(JobSpec spec, ClusterSpec cluster) {
    var pools = cluster.pools().stream().filter(pool -> Feasibility.mayRun(spec, pool)).toList();
    var slices = pools.stream().filter(p -> !TpuTypes.isOneHost(p.machineType())).toList();
    if (slices.isEmpty()) return;
    var others = pools.stream().filter(p -> !slices.contains(p)).map(PoolSpec::name).toList();
    throw new InvalidInputException(
        "runner",
        "is not for tasks on several hosts yet, and those of this job may run on a %s of pool %s; leave runner out%s"
            .formatted(
                slices.getFirst().machineType(),
                slices.getFirst().name(),
                others.isEmpty() ? "" : ", or name other pools: " + others));
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
    var without = without(spec, cluster, poolLimits::whyNoSubmitters);
    if (!without.isEmpty())
      throw new InvalidInputException(
          "submitter",
          "is true, and in pools that the job may use tasks cannot submit (%s); or name others in the job's pools"
              .formatted(without));
  }

  /** The pools that the job may use and the deployment has a reason against, with their reasons. */
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
    var without = without(spec, cluster, pool -> poolLimits.whyNoContainers(cluster, pool));
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
