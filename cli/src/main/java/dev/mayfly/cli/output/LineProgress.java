package dev.mayfly.cli.output;

import dev.mayfly.core.query.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Prints a line for each change, at most one per second. */
final class LineProgress implements ProgressDisplay {
  private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

  private final Screen screen;
  private final InstantSource clock;
  private String end = "";
  private String last = "";
  private String pending = "";
  private Instant shown = Instant.EPOCH;

  LineProgress(Screen screen, InstantSource clock) {
    this.screen = screen;
    this.clock = clock;
  }

  @Override
  public boolean showsEnd() {
    return true;
  }

  @Override
  public void end(String words) {
    end = words;
  }

  @Override
  public void show(JobStatus job) {
    var rest = ProgressDisplay.summary(job, end);
    pending =
        job.name()
            + " "
            + JobLines.state(job)
            + ": "
            + JobLines.done(job)
            + " done"
            + (rest.isEmpty() ? "" : ", " + rest);
    if (!clock.instant().isBefore(shown.plus(MIN_INTERVAL))) print();
  }

  private void print() {
    if (pending.equals(last)) return;
    screen.line(pending);
    last = pending;
    shown = clock.instant();
  }

  @Override
  public void say(String line) {
    screen.line(line);
  }

  @Override
  public void close() {
    print();
  }
}
