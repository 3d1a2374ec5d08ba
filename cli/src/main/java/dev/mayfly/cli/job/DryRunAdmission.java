package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.jobs.DataLocality;
import dev.mayfly.core.jobs.JobAdmission;
import dev.mayfly.core.jobs.TaskLister;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.wire.Wire;
import java.util.Optional;

/**
 * The control plane's admission of jobs, with the rights of the person who asks and without a
 * publication. What the queue has room for is known only to a submission.
 */
record DryRunAdmission(CliContext cliContext) {
  /**
   * Throws {@link InvalidInputException} for what a submission refuses.
   *
   * @param spec as a submission now would store it
   */
  JobAdmission.Admitted admit(CheckedJob job, JobSpec spec) {
    var objects = cliContext.objects();
    var admission =
        new JobAdmission(
            new Answered(job.cluster()),
            new TaskLister(objects, Wire.codec()),
            new DataLocality(readable(objects::location), cliContext.poller().clock()));
    var admitted = admission.admitAll(spec, job.cluster().spec(), spec.name());
    checkName(job);
    return admitted;
  }

  /** A live job with the name and the same content is what a submission finds, and no refusal. */
  private void checkName(CheckedJob job) {
    var spec = JobSubmitter.spec(job.document());
    cliContext
        .api()
        .findJob(spec.cluster(), spec.address())
        .filter(found -> found.endedAt().isEmpty())
        .ifPresent(found -> {
          if (!JobSubmitter.same(found.spec(), spec)) throw JobAdmission.nameTaken(spec);
          cliContext
              .screen()
              .note(
                  "job %s (%s) is live with this content already: a submission changes nothing"
                      .formatted(found.name(), found.uid()));
        });
  }

  /** Buckets that the control plane may list, and this person may not, are said and not checked. */
  private DataLocality.BucketLocations readable(DataLocality.BucketLocations locations) {
    return place -> {
      try {
        return locations.of(place);
      } catch (DeniedException | MissingPermissionException no) {
        cliContext
            .screen()
            .note(
                "warning: the region of %s is not checked, which a submission does: %s"
                    .formatted(place.root(), no.getMessage()));
        return Optional.empty();
      }
    };
  }

  /** What the control plane says of the cluster's machines. */
  private record Answered(ClusterStatus cluster) implements JobAdmission.PoolLimits {
    @Override
    public Optional<String> whyNoContainers(ClusterSpec spec, PoolSpec pool) {
      return view(pool).flatMap(ClusterStatus.PoolView::withoutContainers);
    }

    @Override
    public Optional<String> whyNoSubmitters(PoolSpec pool) {
      return view(pool).flatMap(ClusterStatus.PoolView::withoutSubmitters);
    }

    private Optional<ClusterStatus.PoolView> view(PoolSpec pool) {
      return cluster.pools().stream().filter(p -> p.name().equals(pool.name())).findFirst();
    }
  }
}
