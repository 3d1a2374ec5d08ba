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
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.state.job.SubmissionIdCheck;
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
    checkKnown(job);
    return admitted;
  }

  /**
   * A job of the submission's id, or a live one of the name, is what a submission finds if it has
   * the same content; otherwise it refuses the submission.
   */
  private void checkKnown(CheckedJob job) {
    var spec = JobSubmitter.spec(job.document());
    var byId = submitted(job, spec);
    var found =
        byId.or(() ->
            cliContext
                .api()
                .findJob(spec.cluster(), spec.address())
                .filter(named -> named.endedAt().isEmpty()));
    if (found.isEmpty()) return;
    if (!JobSubmitter.same(found.get(), spec))
      throw byId.isPresent()
          ? SubmissionIdCheck.refusal(found.get().spec().address(), found.get().uid())
          : JobAdmission.nameTaken(spec);
    cliContext
        .screen()
        .note(
            "job %s (%s) is %s: a submission changes nothing"
                .formatted(found.get().name(), found.get().uid(), JobSubmitter.known(found.get())));
  }

  /** The job that the document's own submission id became or found. */
  private Optional<JobStatus> submitted(CheckedJob job, JobSpec spec) {
    var api = cliContext.api();
    return ((UserCommand.SubmitJob) job.document().command())
        .submission()
        .map(UserCommand.SubmitJob::uid)
        .flatMap(uid ->
            api.findJob(spec.cluster(), uid)
                .or(() -> api.submitted(spec.cluster(), spec.address(), uid, Optional.empty())));
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
