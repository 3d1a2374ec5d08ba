package dev.mayfly.cli.job;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.ProgressDisplay;
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
 * Watches a job until it has ended. A control plane that is away for some minutes is waited for:
 * the job goes on without it, and so does whoever watches.
 */
public final class JobFollower {
  static final Duration EVERY = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final ApiClient apiClient;
  private final ConditionPoller conditionPoller;
  private final ProgressDisplay progressDisplay;
  private final Set<String> told = new HashSet<>();
  private @Nullable Instant awaySince;

  public JobFollower(
      ApiClient apiClient, ConditionPoller conditionPoller, ProgressDisplay progressDisplay) {
    this.apiClient = apiClient;
    this.conditionPoller = conditionPoller;
    this.progressDisplay = progressDisplay;
  }

  /** Says nothing of these failures. */
  public JobFollower ignoring(List<AttemptFailure> known) {
    known.forEach(attemptFailure -> told.add(key(attemptFailure)));
    return this;
  }

  private static String key(AttemptFailure attemptFailure) {
    return attemptFailure.index() + " " + attemptFailure.attempt();
  }

  /** The job as it ended. */
  public JobStatus follow(String cluster, String uid) {
    while (true) {
      var ended = poll(cluster, uid);
      if (ended.isPresent()) return ended.get();
      conditionPoller.sleeper().sleep(EVERY);
    }
  }

  /** Looks once and shows what is new; the job if it has ended. */
  Optional<JobStatus> poll(String cluster, String uid) {
    return Optional.ofNullable(now(cluster, uid)).filter(job -> job.endedAt().isPresent());
  }

  /** The job now; null while the control plane is away. */
  private @Nullable JobStatus now(String cluster, String uid) {
    try {
      var job = apiClient.job(cluster, uid);
      if (awaySince != null) progressDisplay.say("the control plane is back");
      awaySince = null;
      for (var attemptFailure : job.failures().reversed())
        if (told.add(key(attemptFailure))) progressDisplay.say(JobLines.failure(attemptFailure));
      progressDisplay.show(job);
      return job;
    } catch (UnavailableException away) {
      var now = conditionPoller.clock().instant();
      if (awaySince == null) {
        awaySince = now;
        progressDisplay.say(
            away.getMessage() + " (the job goes on; waiting for the control plane)");
      }
      if (now.isAfter(awaySince.plus(PATIENCE))) throw away;
      return null;
    }
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
