package dev.mayfly.cli.show;

import dev.mayfly.core.control.JobView;
import java.time.InstantSource;

/** Shows how a job gets on: a bar on a terminal, plain lines elsewhere. */
public interface Progress extends AutoCloseable {
  void show(JobView job);

  /** A line of its own, above the bar if there is one. */
  void say(String line);

  /** Leaves the last state on the screen. */
  @Override
  void close();

  static Progress on(Screen screen, InstantSource clock) {
    return screen.terminal() ? new BarProgress(screen) : new LineProgress(screen, clock);
  }

  /** A line for each change: for several jobs on one screen. */
  static Progress lines(Screen screen, InstantSource clock) {
    return new LineProgress(screen, clock);
  }

  /** Nothing but what must be told. */
  static Progress silent(Screen screen) {
    return new Silence(screen);
  }

  /** Says, and does not show. */
  record Silence(Screen screen) implements Progress {
    @Override
    public void show(JobView job) {
      // That is what it is for.
    }

    @Override
    public void say(String line) {
      screen.note(line);
    }

    @Override
    public void close() {
      // There is nothing to leave.
    }
  }

  /**
   * {@code 8 leased, 3 waiting, 1 failed}: what is not zero. Nothing waits once the job has ended.
   */
  static String rest(JobView job) {
    var totals = job.totals();
    var rest = new StringBuilder();
    add(rest, totals.leased(), "leased");
    add(rest, totals.ready(), job.endedAt().isPresent() ? "not finished" : "waiting");
    add(rest, totals.failed(), "failed");
    return rest.toString();
  }

  private static void add(StringBuilder to, long n, String what) {
    if (n > 0) to.append(to.isEmpty() ? "" : ", ").append(Words.count(n)).append(' ').append(what);
  }
}
