package dev.mayfly.cli;

import dev.mayfly.cli.flow.Following;
import dev.mayfly.cli.show.Progress;
import dev.mayfly.cli.show.Screen;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.model.Failure;
import java.util.List;

/** Until its end, an interrupt ends the command and says that the job goes on. */
final class Detach {
  private final Thread hook;

  private Detach(Thread hook) {
    this.hook = hook;
  }

  static Detach from(List<String> jobs, Screen screen) {
    if (jobs.size() == 1) return from(jobs.getFirst(), screen);
    var text =
        "\ndetached; jobs %s go on. Look again: mayfly jobs, mayfly logs -f JOB. Stop one: mayfly stop JOB"
            .formatted(String.join(", ", jobs));
    return of(text, screen);
  }

  static Detach from(String job, Screen screen) {
    var text =
        "\ndetached; job %1$s goes on. Look again: mayfly jobs, mayfly logs -f %1$s. Stop it: mayfly stop %1$s"
            .formatted(job);
    return of(text, screen);
  }

  private static Detach of(String text, Screen screen) {
    var hook = new Thread(() -> screen.note(text), "detach");
    Runtime.getRuntime().addShutdownHook(hook);
    return new Detach(hook);
  }

  /**
   * Follows a job until it has ended.
   *
   * @param shown whether its progress is
   */
  static JobView whileFollowing(Session session, Screen screen, JobView job, boolean shown) {
    return whileFollowing(session, screen, job, shown, List.of());
  }

  /**
   * As {@link #whileFollowing(Session, Screen, JobView, boolean)}.
   *
   * @param before failures that are known already
   */
  static JobView whileFollowing(
      Session session, Screen screen, JobView job, boolean shown, List<Failure> before) {
    var detach = from(job.name(), screen);
    try (var progress =
        shown ? Progress.on(screen, session.waiting().clock()) : Progress.silent(screen)) {
      var following = new Following(session.api(), session.waiting(), progress).after(before);
      return following.follow(job.cluster(), job.uid());
    } finally {
      detach.end();
    }
  }

  void end() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyEnding) {
      // The hook runs, and says what it has to say.
      return;
    }
  }
}
