package dev.mayfly.core.control;

import dev.mayfly.core.clusters.ClusterCommands;
import dev.mayfly.core.clusters.SliceCommands;
import dev.mayfly.core.clusters.StaticWorkerJoin;
import dev.mayfly.core.jobs.JobRetry;
import dev.mayfly.core.jobs.JobSubmission;
import dev.mayfly.core.jobs.OpenJobs;
import dev.mayfly.core.jobs.TaskCommands;
import dev.mayfly.core.jobs.schedule.ScheduleCommands;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.job.JobStop;
import dev.mayfly.core.state.job.LogFollowing;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.time.Instant;

/** Maps each command to its use case. */
final class CommandRouter {
  private final Ledger ledger;
  private final JobSubmission jobSubmission;
  private final ScheduleCommands schedules;
  private final JobStop jobStop;
  private final JobRetry jobRetry;
  private final TaskCommands taskCommands;
  private final OpenJobs openJobs;
  private final ClusterCommands clusters;
  private final SliceCommands slices;
  private final StaticWorkerJoin staticWorkerJoin;
  private final LogFollowing logFollowing;

  CommandRouter(
      Context context,
      WorkerTransitions workerTransitions,
      JobSubmission jobSubmission,
      JobStop jobStop,
      JobRetry jobRetry,
      OpenJobs openJobs,
      ScheduleCommands schedules) {
    ledger = context.ledger();
    this.jobSubmission = jobSubmission;
    this.jobStop = jobStop;
    this.jobRetry = jobRetry;
    taskCommands = new TaskCommands(context, jobRetry);
    this.openJobs = openJobs;
    this.schedules = schedules;
    clusters = new ClusterCommands(context, workerTransitions);
    slices = new SliceCommands(context);
    staticWorkerJoin = new StaticWorkerJoin(context);
    logFollowing = new LogFollowing(ledger, context.clock());
  }

  /**
   * @param at when it was published
   * @param submission its id, if the command has none of its own
   * @param by who requests it, to follow a verb
   */
  void route(UserCommand userCommand, Instant at, String submission, String by) {
    switch (userCommand) {
      case UserCommand.SubmitJob c when c.schedule().isPresent() ->
          schedules.store(c.spec(), c.schedule().get(), at);
      case UserCommand.ChangeSchedule c ->
          schedules.change(c, at, UserCommand.SubmitJob.uid(submission));
      case UserCommand.SubmitJob c ->
          jobSubmission.submit(
              c.spec(), UserCommand.SubmitJob.uid(c.submission().orElse(submission)), at);
      case UserCommand.StopJob c ->
          jobStop.stopNamed(
              ClusterLookup.named(ledger, c.cluster()).uid(), c.job(), at, "stopped by " + by);
      case UserCommand.RetryJob c ->
          jobRetry.retry(ClusterLookup.named(ledger, c.cluster()), c, at);
      case UserCommand.StopTasks c ->
          taskCommands.stop(ClusterLookup.named(ledger, c.cluster()), c.job(), c.tasks(), at);
      case UserCommand.RetryTasks c ->
          taskCommands.retry(ClusterLookup.named(ledger, c.cluster()), c.job(), c.tasks(), at);
      case UserCommand.AddTasks c ->
          openJobs.add(ClusterLookup.named(ledger, c.cluster()), c, submission, at);
      case UserCommand.CloseJob c ->
          openJobs.close(ClusterLookup.named(ledger, c.cluster()), c, at, "closed by " + by);
      case UserCommand.FollowLogs c ->
          logFollowing.follow(ClusterLookup.named(ledger, c.cluster()), c.job(), at);
      case UserCommand.ApplyCluster c -> clusters.apply(c, at, by);
      case UserCommand.DownCluster c -> clusters.down(c.cluster(), at);
      case UserCommand.DrainWorker c -> clusters.drain(c.cluster(), c.worker(), at);
      case UserCommand.Cordon c -> clusters.cordon(c, at);
      case UserCommand.Uncordon c -> clusters.uncordon(c, at);
      case UserCommand.JoinWorker c -> staticWorkerJoin.join(c, at);
      case UserCommand.CreateSlice c -> slices.create(c, at);
      case UserCommand.DeleteSlice c -> slices.delete(c, at);
      case UserCommand.ReshapeSlice c -> slices.reshape(c, at);
    }
  }

  /** The name of the cluster that a command is about. */
  static String cluster(UserCommand userCommand) {
    return switch (userCommand) {
      case UserCommand.SubmitJob c -> c.spec().cluster();
      case UserCommand.ChangeSchedule c -> c.cluster();
      case UserCommand.StopJob c -> c.cluster();
      case UserCommand.RetryJob c -> c.cluster();
      case UserCommand.StopTasks c -> c.cluster();
      case UserCommand.RetryTasks c -> c.cluster();
      case UserCommand.AddTasks c -> c.cluster();
      case UserCommand.CloseJob c -> c.cluster();
      case UserCommand.FollowLogs c -> c.cluster();
      case UserCommand.ApplyCluster c -> c.spec().name();
      case UserCommand.DownCluster c -> c.cluster();
      case UserCommand.DrainWorker c -> c.cluster();
      case UserCommand.Cordon c -> c.cluster();
      case UserCommand.Uncordon c -> c.cluster();
      case UserCommand.JoinWorker c -> c.cluster();
      case UserCommand.CreateSlice c -> c.cluster();
      case UserCommand.DeleteSlice c -> c.cluster();
      case UserCommand.ReshapeSlice c -> c.cluster();
    };
  }

  /** What a command is about, for people. */
  static String describe(UserCommand userCommand) {
    return switch (userCommand) {
      case UserCommand.SubmitJob c ->
          (c.schedule().isPresent() ? "schedule " : "job ") + c.spec().address();
      case UserCommand.ChangeSchedule c ->
          "%s of schedule %s".formatted(c.action().word(), c.schedule());
      case UserCommand.StopJob c -> "stop of job " + c.job();
      case UserCommand.RetryJob c -> "retry of job " + c.job();
      case UserCommand.StopTasks c -> "stop of tasks %s of job %s".formatted(c.tasks(), c.job());
      case UserCommand.RetryTasks c -> "retry of tasks %s of job %s".formatted(c.tasks(), c.job());
      case UserCommand.AddTasks c -> "tasks for job " + c.job();
      case UserCommand.CloseJob c -> "close of job " + c.job();
      case UserCommand.FollowLogs c -> "logs of job " + c.job();
      case UserCommand.ApplyCluster c -> "cluster " + c.spec().name();
      case UserCommand.DownCluster c -> "down of cluster " + c.cluster();
      case UserCommand.DrainWorker c -> "drain of worker " + c.worker();
      case UserCommand.Cordon c -> "cordon of " + c.name();
      case UserCommand.Uncordon c -> "uncordon of " + c.name();
      case UserCommand.JoinWorker c -> "join of worker " + c.worker();
      case UserCommand.CreateSlice c -> "slice " + c.name();
      case UserCommand.DeleteSlice c -> "delete of slice " + c.slice();
      case UserCommand.ReshapeSlice c -> "reshape of slice " + c.slice();
    };
  }
}
