package dev.mayfly.cli.output;

import dev.mayfly.core.query.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A line when something changed, one a second at most. */
final class LineProgress implements ProgressDisplay {
  private static final Duration LEAST = Duration.ofSeconds(1);

  private final Screen screen;
  private final InstantSource clock;
  private String last = "";
  private String pending = "";
  private Instant shown = Instant.EPOCH;

  LineProgress(Screen screen, InstantSource clock) {
    this.screen = screen;
    this.clock = clock;
  }

  @Override
  public void show(JobStatus job) {
    var rest = ProgressDisplay.summary(job);
    pending =
        job.name()
            + " "
            + JobLines.state(job)
            + ": "
            + JobLines.done(job)
            + " done"
            + (rest.isEmpty() ? "" : ", " + rest);
    if (!clock.instant().isBefore(shown.plus(LEAST))) print();
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
