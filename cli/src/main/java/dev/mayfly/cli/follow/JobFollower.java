package dev.mayfly.cli.follow;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.client.HttpTransport;
import dev.mayfly.cli.client.PollPauses;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.logs.LogFollowKeepalive;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.cli.output.TaskSubjects;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.query.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows a job until it has ended. Waits for an unavailable control plane for some minutes,
 * because the job continues without it.
 */
public final class JobFollower {
  /** The longest pause between polls of a job. */
  public static final Duration MAX_PAUSE = Duration.ofMillis(500);

  /** A job that is over sooner shows all of itself at its end. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration MAX_UNAVAILABLE_TIME = Duration.ofMinutes(10);

  private final ApiClient apiClient;
  private final ConditionPoller conditionPoller;
  private final ProgressDisplay progressDisplay;
  private final WaitingReason waitingReason;
  private final EstimatedEnd estimatedEnd;
  private final Set<String> shownFailures = new HashSet<>();
  private @Nullable CliContext lookingOn;
  private @Nullable LogFollowKeepalive keepalive;
  private @Nullable Instant unavailableSince;
  private @Nullable TaskSubjects taskSubjects;

  public JobFollower(
      ApiClient apiClient, ConditionPoller conditionPoller, ProgressDisplay progressDisplay) {
    this.apiClient = apiClient;
    this.conditionPoller = conditionPoller;
    this.progressDisplay = progressDisplay;
    waitingReason = new WaitingReason(apiClient, conditionPoller.clock());
    estimatedEnd = new EstimatedEnd(apiClient, conditionPoller.clock());
  }

  /**
   * Tells the job's workers that a person looks on, once tasks of it have run for a while: until
   * then a report is not worth its message.
   */
  public JobFollower lookingOn(CliContext cliContext) {
    lookingOn = cliContext;
    return this;
  }

  private void lookOn(JobStatus job) {
    if (lookingOn == null || !job.state().equals("running") || job.totals().leased() == 0) return;
    var it = keepalive;
    if (it == null)
      it = new LogFollowKeepalive(lookingOn, job.cluster(), job.uid()).after(PATIENCE);
    keepalive = it;
    it.sendIfDue();
  }

  /** Does not show these failures. */
  public JobFollower ignoring(List<AttemptFailure> known) {
    known.forEach(attemptFailure -> shownFailures.add(key(attemptFailure)));
    return this;
  }

  private static String key(AttemptFailure attemptFailure) {
    return attemptFailure.index() + " " + attemptFailure.attempt();
  }

  /** Waits for the end of the job. */
  public JobStatus follow(String cluster, String uid) {
    var pauses = new PollPauses(MAX_PAUSE);
    while (true) {
      var ended = poll(cluster, uid);
      if (ended.isPresent()) return ended.get();
      conditionPoller.sleeper().sleep(pauses.next());
    }
  }

  /** Polls once and shows what is new; returns the job if it has ended. */
  public Optional<JobStatus> poll(String cluster, String uid) {
    return Optional.ofNullable(current(cluster, uid)).filter(job -> job.endedAt().isPresent());
  }

  /** The current job; null while the control plane is unavailable. */
  private @Nullable JobStatus current(String cluster, String uid) {
    try {
      var job = apiClient.job(cluster, uid);
      if (unavailableSince != null) progressDisplay.say("the control plane is back");
      unavailableSince = null;
      for (var attemptFailure : job.failures().reversed())
        if (isOfThisRun(attemptFailure, job) && shownFailures.add(key(attemptFailure)))
          progressDisplay.say(JobLines.failure(job, attemptFailure, subjects(cluster, uid)));
      if (progressDisplay.showsEnd()) progressDisplay.end(estimatedEnd.of(job));
      progressDisplay.show(job);
      lookOn(job);
      waitingReason.news(job).ifPresent(progressDisplay::say);
      return job;
    } catch (UnavailableException away) {
      var time = conditionPoller.clock().instant();
      if (unavailableSince == null) {
        unavailableSince = time;
        progressDisplay.say(
            away.getMessage()
                + (HttpTransport.isRefused(away)
                    ? " (without it the job stands still, and continues when it runs again; waiting"
                        + " for the control plane)"
                    : " (the job continues; waiting for the control plane)"));
      }
      if (time.isAfter(unavailableSince.plus(MAX_UNAVAILABLE_TIME))) throw away;
      return null;
    }
  }

  /** A job that was retried still has the failures of its run before. */
  private static boolean isOfThisRun(AttemptFailure attemptFailure, JobStatus job) {
    return job.mayRunSince().filter(begin -> attemptFailure.at().isBefore(begin)).isEmpty();
  }

  private TaskSubjects subjects(String cluster, String uid) {
    var of = taskSubjects;
    if (of == null) of = new TaskSubjects(index -> apiClient.findTask(cluster, uid, index));
    taskSubjects = of;
    return of;
  }

  /** The exit code of a job that has ended. */
  public static CommandExitCode exitCode(JobStatus job) {
    return switch (job.state()) {
      case "succeeded" -> CommandExitCode.OK;
      case "stopped" -> CommandExitCode.STOPPED;
      default -> CommandExitCode.JOB_FAILED;
    };
  }
}
