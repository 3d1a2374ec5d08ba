package dev.mayfly.cli.follow;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.query.JobStatus;
import java.util.List;
import java.util.function.Consumer;

/** While active, an interrupt ends the command with a note that the job continues. */
public final class DetachOnInterrupt {
  private final Thread hook;

  private DetachOnInterrupt(Thread hook) {
    this.hook = hook;
  }

  public static DetachOnInterrupt from(List<String> jobs, Screen screen) {
    if (jobs.size() == 1) return from(jobs.getFirst(), screen);
    var text =
        "\ndetached; jobs %s continue. To see them: mayfly jobs, mayfly logs -f JOB. To stop one: mayfly stop JOB"
            .formatted(String.join(", ", jobs));
    return of(text, screen);
  }

  public static DetachOnInterrupt from(String job, Screen screen) {
    var text =
        "\ndetached; job %1$s continues. To see it: mayfly jobs, mayfly logs -f %1$s. To stop it: mayfly stop %1$s"
            .formatted(job);
    return of(text, screen);
  }

  private static DetachOnInterrupt of(String text, Screen screen) {
    var hook = new Thread(() -> screen.note(text), "detach");
    Runtime.getRuntime().addShutdownHook(hook);
    return new DetachOnInterrupt(hook);
  }

  /**
   * Follows a job until it has ended.
   *
   * @param shown whether to show its progress
   */
  public static JobStatus whileFollowing(
      CliContext cliContext, Screen screen, JobStatus job, boolean shown) {
    return whileFollowing(cliContext, screen, job, shown, List.of());
  }

  /**
   * As {@link #whileFollowing(CliContext, Screen, JobStatus, boolean)}.
   *
   * @param before failures that were shown before
   */
  public static JobStatus whileFollowing(
      CliContext cliContext,
      Screen screen,
      JobStatus job,
      boolean shown,
      List<AttemptFailure> before) {
    var detachOnInterrupt = from(job.name(), screen);
    try (var progressDisplay =
        shown
            ? ProgressDisplay.forScreen(screen, cliContext.poller().clock())
            : ProgressDisplay.silent(screen)) {
      var jobFollower =
          new JobFollower(cliContext.api(), cliContext.poller(), progressDisplay).ignoring(before);
      return (shown ? jobFollower.lookingOn(cliContext) : jobFollower)
          .follow(job.cluster(), job.uid());
    } finally {
      detachOnInterrupt.end();
    }
  }

  /**
   * Follows jobs until all have ended.
   *
   * @param shown whether to show their progress
   * @param ending is told of each that has ended
   */
  public static List<JobStatus> whileFollowingAll(
      CliContext cliContext,
      Screen screen,
      List<JobStatus> jobs,
      boolean shown,
      Consumer<JobStatus> ending) {
    if (jobs.size() == 1) {
      var ended = whileFollowing(cliContext, screen, jobs.getFirst(), shown);
      ending.accept(ended);
      return List.of(ended);
    }
    var detachOnInterrupt = from(jobs.stream().map(JobStatus::name).toList(), screen);
    try {
      var clock = cliContext.poller().clock();
      var all =
          new MultiJobFollower(
              cliContext,
              shown,
              () -> shown ? ProgressDisplay.lines(screen, clock) : ProgressDisplay.silent(screen));
      return all.follow(jobs, ending);
    } finally {
      detachOnInterrupt.end();
    }
  }

  /** The command follows no longer. */
  public void end() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyEnding) {
      // The hook is already running.
      return;
    }
  }
}
