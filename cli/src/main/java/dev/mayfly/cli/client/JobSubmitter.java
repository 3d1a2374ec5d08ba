package dev.mayfly.cli.client;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.Wire;
import java.util.Optional;

/** Publishes a job and waits until it is accepted. */
public record JobSubmitter(ApiClient api, DocumentPublisher topics, MessageAcceptance acceptance) {
  /**
   * The result of a submission.
   *
   * @param fresh false if a live job with this name and content, or a job with this submission id,
   *     already existed
   */
  public record Result(JobStatus job, boolean fresh) {
    /** What to say of a submission that made no job. */
    public String joined() {
      return "job %s (%s) is %s: nothing is submitted twice"
          .formatted(job.name(), job.uid(), known(job));
    }

    private Result with(boolean unknownBefore) {
      return new Result(job, fresh && unknownBefore);
    }
  }

  public static JobSpec spec(ParsedDocument job) {
    return ((UserCommand.SubmitJob) job.command()).spec();
  }

  /** The job's cluster. Throws {@link InvalidInputException} if the job is infeasible there. */
  public ClusterStatus check(ParsedDocument job) {
    var cluster = api.cluster(spec(job).cluster());
    check(job, cluster.spec());
    return cluster;
  }

  /**
   * Throws {@link InvalidInputException} if no worker of the cluster could run a task of the job,
   * or if the job is too large to publish.
   */
  public static void check(ParsedDocument job, ClusterSpec cluster) {
    var no = Feasibility.check(spec(job), cluster);
    if (no.isPresent())
      throw new InvalidInputException(job.at().of(no.get().field()), no.get().message());
    DocumentPublisher.check(job);
  }

  /**
   * Publishes the job. Repeated submissions with the same id are the same job.
   *
   * @param fresh a unique submission id for a job whose file names none
   */
  public Result submit(ParsedDocument job, String fresh) {
    var given = ((UserCommand.SubmitJob) job.command()).submission();
    var submission = given.orElse(fresh);
    var known =
        given.isPresent()
            && api.findJob(spec(job).cluster(), UserCommand.SubmitJob.uid(submission)).isPresent();
    var document = job.with("submission", submission);
    var message = topics.publish(document);
    var uid = UserCommand.SubmitJob.uid(submission);
    var spec = spec(job);
    return acceptance
        .await(
            message,
            "job " + job.name(),
            // Who has an id of their own is refused by its job if that has other content.
            () -> given.isPresent() ? answered(spec, uid, message) : taken(spec, uid))
        .with(!known);
  }

  private Optional<Result> answered(JobSpec spec, String uid, String message) {
    return api.submitted(spec.cluster(), spec.address(), uid, Optional.of(message))
        .map(job -> new Result(job, job.uid().equals(uid)));
  }

  private Optional<Result> taken(JobSpec spec, String uid) {
    return api.findJob(spec.cluster(), uid)
        .or(() -> api.submitted(spec.cluster(), spec.address(), uid, Optional.empty()))
        .map(job -> new Result(job, job.uid().equals(uid)));
  }

  /** Why a submission found the job instead of making one. */
  public static String known(JobStatus job) {
    return job.endedAt().isEmpty()
        ? "live with this content already"
        : "known by this submission id, and has ended";
  }

  /** Whether a submission of the content finds the job. */
  public static boolean same(JobStatus job, JobSpec spec) {
    var then = TaskTemplate.fillSubmission(spec, job.submittedAt());
    return Wire.codec().hash(job.spec().content()).equals(Wire.codec().hash(then.content()));
  }
}
