package dev.mayfly.cli.page;

import dev.mayfly.cli.client.JobUse;
import dev.mayfly.cli.metrics.MetricCurve;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.PredecessorStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostGroup;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.task.JobProgress;
import dev.mayfly.core.query.task.TaskStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that the file of a job has, as its page reads it. Each field is named here because it is
 * shown: the environment of a job's command, its secrets and what is the cluster's are in no file.
 *
 * @param at when it was read
 * @param project empty on the laptop cloud, whose name says nothing
 * @param cut what was too much for the file, and how to see it, a sentence each
 * @param leftOut what no file has, and how to see it, a sentence each
 * @param estimate of its end, unless it had ended
 * @param use what its tasks ask for and used
 * @param tasks by index
 * @param attempts tasks with all their failed attempts, of those that have several
 * @param curves metrics over time of some tasks' newest attempts
 * @param machines those that ran its tasks, as far as they are known
 * @param jobs those before and after it
 */
record ExportedJob(
    Instant at,
    String cluster,
    String project,
    boolean laptop,
    String version,
    List<String> cut,
    List<String> leftOut,
    Job job,
    Why why,
    Optional<Cost> cost,
    Optional<JobEstimate> estimate,
    JobUse use,
    List<TaskStatus> tasks,
    List<TaskStatus> attempts,
    List<MetricCurve> curves,
    List<Machine> machines,
    List<Neighbour> jobs) {
  /** The job itself; its fields are those of the read API. */
  record Job(
      String name,
      String uid,
      String cluster,
      Optional<String> owner,
      String state,
      Optional<String> reason,
      long tasks,
      TaskTotals totals,
      Map<FailureCause, Long> attempts,
      List<AttemptFailure> failures,
      Instant submittedAt,
      Instant acceptedAt,
      Optional<Instant> endedAt,
      Optional<Instant> mayRunSince,
      Optional<String> outcome,
      Optional<PinnedImage> image,
      Spec spec,
      List<PredecessorStatus> after,
      Optional<Double> maxUsd,
      Optional<JobProgress> progress,
      Optional<Instant> countedAt) {
    static Job of(JobStatus job) {
      return new Job(
          job.name(),
          job.uid(),
          job.cluster(),
          job.owner(),
          job.state(),
          job.reason(),
          job.tasks(),
          job.totals(),
          job.attempts(),
          job.failures(),
          job.submittedAt(),
          job.acceptedAt(),
          job.endedAt(),
          job.mayRunSince(),
          job.outcome(),
          job.image(),
          new Spec(
              new Tasks(job.spec().tasks() instanceof TaskSource.Inputs ? "inputs" : "others"),
              new Run(job.spec().run().command())),
          job.after(),
          job.maxUsd(),
          job.progress(),
          job.countedAt());
    }
  }

  /** What the page shows of a job's document. */
  record Spec(Tasks tasks, Run run) {}

  /**
   * @param kind {@code inputs}, of which there is no sweep, or {@code others}
   */
  record Tasks(String kind) {}

  record Run(List<String> command) {}

  /** Why it is as it is, and what happened. */
  record Why(
      String summary,
      List<JobExplanation.Reason> reasons,
      List<String> queue,
      List<Event> events,
      Optional<String> remedy) {
    static Why of(JobExplanation why) {
      return new Why(
          why.summary(),
          why.reasons(),
          why.queue(),
          why.events().stream().map(Event::of).toList(),
          why.remedy());
    }
  }

  record Event(String id, Instant at, String about, String what, String why) {
    static Event of(EventRecord event) {
      return new Event(event.id(), event.at(), event.about(), event.what(), event.why());
    }
  }

  /**
   * What the job cost; what other jobs cost is nobody's business.
   *
   * @param beside what its cluster's machines cost beside all jobs since the day of its submission,
   *     if they did
   */
  record Cost(CostGroup total, Optional<CostGroup> beside) {
    /**
     * @param byJob of the whole cluster
     */
    static Cost of(ClusterCost job, Optional<ClusterCost> byJob) {
      return new Cost(
          job.total(),
          byJob.flatMap(all ->
              all.groups().stream().filter(it -> it.name().equals(CostGroup.NO_JOB)).findFirst()));
    }
  }

  /** When a machine that ran tasks of it was made, first reported and went. */
  record Machine(
      String name,
      String state,
      Instant since,
      Optional<String> reason,
      Instant createdAt,
      Optional<Instant> firstSyncAt) {
    static Machine of(WorkerStatus worker) {
      return new Machine(
          worker.name(),
          worker.state(),
          worker.since(),
          worker.reason(),
          worker.createdAt(),
          worker.firstSyncAt());
    }
  }

  /** A job before or after it; of one that is not there only the uid. */
  record Neighbour(
      String uid,
      Optional<String> name,
      Optional<String> owner,
      Optional<String> state,
      Optional<TaskTotals> totals,
      List<PredecessorStatus> after) {
    static Neighbour of(JobStatus job) {
      return new Neighbour(
          job.uid(),
          Optional.of(job.name()),
          job.owner(),
          Optional.of(job.state()),
          Optional.of(job.totals()),
          job.after());
    }

    static Neighbour gone(String uid) {
      return new Neighbour(
          uid, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());
    }
  }
}
