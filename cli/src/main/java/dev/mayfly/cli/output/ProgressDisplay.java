package dev.mayfly.cli.output;

import dev.mayfly.core.query.JobStatus;
import java.time.InstantSource;

/** Shows the progress of a job: a bar on a terminal, plain lines elsewhere. */
public interface ProgressDisplay extends AutoCloseable {
  void show(JobStatus job);

  /** Whether it shows when the job may be done; for another nobody asks. */
  default boolean showsEnd() {
    return false;
  }

  /**
   * Shown with the job from its next {@link #show} on.
   *
   * @param words such as {@code done in 5m to 7m}; empty while that is not known
   */
  default void end(String words) {}

  /** Prints a separate line, above the bar if there is one. */
  void say(String line);

  /** Leaves the last state on the screen. */
  @Override
  void close();

  static ProgressDisplay forScreen(Screen screen, InstantSource clock) {
    return screen.terminal() ? new BarProgress(screen) : new LineProgress(screen, clock);
  }

  /** Prints a line for each change, for several jobs on one screen. */
  static ProgressDisplay lines(Screen screen, InstantSource clock) {
    return new LineProgress(screen, clock);
  }

  /** Shows messages but no progress. */
  static ProgressDisplay silent(Screen screen) {
    return new SilentProgress(screen);
  }

  record SilentProgress(Screen screen) implements ProgressDisplay {
    @Override
    public void show(JobStatus job) {
      // Deliberately silent.
    }

    @Override
    public void say(String line) {
      screen.note(line);
    }

    @Override
    public void close() {
      // Nothing to close.
    }
  }

  /**
   * {@code 8 on machines, 3 waiting, 1 failed}: counts that are not zero. An ended job has no
   * waiting tasks.
   */
  static String summary(JobStatus job) {
    return summary(job, "");
  }

  /**
   * As {@link #summary(JobStatus)}.
   *
   * @param end when it may be done; empty while that is not known
   */
  static String summary(JobStatus job, String end) {
    var taskTotals = job.totals();
    var rest = new StringBuilder();
    if (job.endedAt().isPresent()) add(rest, taskTotals.open(), "not finished");
    else {
      add(rest, taskTotals.leased(), "on machines");
      add(rest, taskTotals.ready(), "waiting");
    }
    add(rest, taskTotals.failed(), "failed");
    add(rest, taskTotals.stopped().orElse(0L), "stopped");
    if (job.endedAt().isEmpty() && !end.isEmpty())
      rest.append(rest.isEmpty() ? "" : ", ").append(end);
    return rest.toString();
  }

  private static void add(StringBuilder to, long n, String what) {
    if (n > 0)
      to.append(to.isEmpty() ? "" : ", ").append(HumanFormat.count(n)).append(' ').append(what);
  }
}
