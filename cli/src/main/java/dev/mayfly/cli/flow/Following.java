package dev.mayfly.cli.flow;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.reach.Api;
import dev.mayfly.cli.show.JobLines;
import dev.mayfly.cli.show.Progress;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Failure;
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
public final class Following {
  static final Duration EVERY = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Api api;
  private final Waiting waiting;
  private final Progress progress;
  private final Set<String> told = new HashSet<>();
  private @Nullable Instant awaySince;

  public Following(Api api, Waiting waiting, Progress progress) {
    this.api = api;
    this.waiting = waiting;
    this.progress = progress;
  }

  /** Says nothing of these failures. */
  public Following after(List<Failure> known) {
    known.forEach(failure -> told.add(key(failure)));
    return this;
  }

  private static String key(Failure failure) {
    return failure.index() + " " + failure.attempt();
  }

  /** The job as it ended. */
  public JobView follow(String cluster, String uid) {
    while (true) {
      var ended = look(cluster, uid);
      if (ended.isPresent()) return ended.get();
      waiting.pause().pause(EVERY);
    }
  }

  /** Looks once and shows what is new; the job if it has ended. */
  Optional<JobView> look(String cluster, String uid) {
    return Optional.ofNullable(now(cluster, uid)).filter(job -> job.endedAt().isPresent());
  }

  /** The job now; null while the control plane is away. */
  private @Nullable JobView now(String cluster, String uid) {
    try {
      var job = api.job(cluster, uid);
      if (awaySince != null) progress.say("the control plane is back");
      awaySince = null;
      for (var failure : job.failures().reversed())
        if (told.add(key(failure))) progress.say(JobLines.failure(failure));
      progress.show(job);
      return job;
    } catch (Unavailable away) {
      var now = waiting.clock().instant();
      if (awaySince == null) {
        awaySince = now;
        progress.say(away.getMessage() + " (the job goes on; waiting for the control plane)");
      }
      if (now.isAfter(awaySince.plus(PATIENCE))) throw away;
      return null;
    }
  }

  /** The exit code of a job that has ended. */
  public static Exit exit(JobView job) {
    return switch (job.state()) {
      case "succeeded" -> Exit.OK;
      case "stopped" -> Exit.STOPPED;
      default -> Exit.JOB_FAILED;
    };
  }
}
