package dev.mayfly.cli.flow;

import dev.mayfly.cli.reach.Api;
import dev.mayfly.cli.reach.Topics;
import dev.mayfly.core.control.ClusterView;
import dev.mayfly.core.control.Intake;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.wire.Parsed;
import dev.mayfly.wire.Wire;
import java.util.Optional;

/** Publishes a job and waits until it is taken. */
public record Submitting(Api api, Topics topics, Acceptance acceptance) {
  /**
   * What became of a submission.
   *
   * @param fresh false if a live job with this name and content, or a job with this submission's
   *     id, was there already
   */
  public record Taken(JobView job, boolean fresh) {}

  public static JobSpec spec(Parsed job) {
    return ((Command.SubmitJob) job.command()).spec();
  }

  /** The cluster that is to run it. Throws {@link Invalid} if no worker of it ever could. */
  public ClusterView check(Parsed job) {
    var spec = spec(job);
    var cluster = api.cluster(spec.cluster());
    var no = Feasibility.check(spec, cluster.spec());
    if (no.isPresent())
      throw new Invalid(
          (job.place().isEmpty() ? "" : job.place() + ": ") + no.get().field(), no.get().message());
    Topics.check(job);
    return cluster;
  }

  /**
   * Publishes the job. A repeat with the same submission is the same job.
   *
   * @param fresh an id that no other submission has, for a job whose file names none
   */
  public Taken submit(Parsed job, String fresh) {
    var given = ((Command.SubmitJob) job.command()).submission();
    var submission = given.orElse(fresh);
    var known =
        given.isPresent() && api.findJob(spec(job).cluster(), Intake.uid(submission)).isPresent();
    var document = job.with("submission", submission);
    var message = topics.publish(document);
    var uid = Intake.uid(submission);
    var spec = spec(job);
    return acceptance.await(message, "job " + job.name(), () -> taken(spec, uid, !known));
  }

  private Optional<Taken> taken(JobSpec spec, String uid, boolean fresh) {
    var mine = api.findJob(spec.cluster(), uid);
    if (mine.isPresent()) return mine.map(job -> new Taken(job, fresh));
    return api.findJob(spec.cluster(), spec.name())
        .filter(job -> job.endedAt().isEmpty() && same(job.spec(), spec))
        // It may have been stored between the two looks.
        .map(job -> new Taken(job, job.uid().equals(uid)));
  }

  private static boolean same(JobSpec a, JobSpec b) {
    return Wire.codec().hash(a).equals(Wire.codec().hash(b));
  }
}
