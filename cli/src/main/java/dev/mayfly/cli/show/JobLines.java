package dev.mayfly.cli.show;

import dev.mayfly.core.control.JobView;
import dev.mayfly.core.model.ExitCode;
import dev.mayfly.core.model.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Jobs as lines. */
public final class JobLines {
  private JobLines() {}

  /** A table of jobs, newest first. */
  public static Table table(List<JobView> jobs, Instant now) {
    var table =
        new Table("JOB", "STATE", "DONE", "FAILED", "AGE", "TOOK", "OWNER", "WHY")
            .right(2, 3, 4)
            .names(0)
            .remarks();
    for (var job : jobs)
      table.row(
          Cell.of(job.name()),
          Cell.state(state(job)),
          Cell.of(done(job)),
          new Cell(
              Words.count(job.totals().failed()),
              job.totals().failed() > 0 ? Tone.BAD : Tone.PLAIN),
          Cell.of(Words.age(job.submittedAt(), now)),
          Cell.of(job.endedAt().map(e -> Words.span(took(job, e))).orElse("-")),
          Cell.of(job.owner().map(o -> o + " (claimed)").orElse("-")),
          Cell.of(job.reason().orElse("")));
    return table;
  }

  /** Its state; {@code waiting} for one of which nothing runs though it may. */
  public static String state(JobView job) {
    var waits =
        job.state().equals("running") && job.totals().leased() == 0 && job.totals().ready() > 0;
    return waits ? "waiting" : job.state();
  }

  /** {@code 12/40}; a question mark while its tasks are being listed. */
  static String done(JobView job) {
    var all = job.state().equals("expanding") ? "?" : Words.count(job.tasks());
    return Words.count(job.totals().done()) + "/" + all;
  }

  /** What became of one attempt. */
  public static String failure(Failure f) {
    var exit = f.exitCode() >= 0 ? " (" + ExitCode.words(f.exitCode()) + ")" : "";
    var said = f.evidence().isBlank() ? "" : ": " + Printable.line(f.evidence());
    return "task %d: %s%s on %s%s"
        .formatted(f.index(), Words.word(f.cause().name()), exit, Printable.line(f.worker()), said);
  }

  /** How an ended job ended, in a line or two. */
  public static String ending(JobView job) {
    var took = job.endedAt().map(e -> " in " + Words.span(took(job, e))).orElse("");
    var failed =
        job.totals().failed() == 0 ? "" : ", " + Words.count(job.totals().failed()) + " failed";
    var attempts = Words.counts(job.attempts());
    return "job %s %s%s: %s of %s done%s%s"
        .formatted(
            job.name(),
            job.state(),
            took,
            Words.count(job.totals().done()),
            Words.count(job.tasks(), "task"),
            failed,
            attempts.isEmpty() ? "" : "; attempts without a result: " + attempts);
  }

  private static Duration took(JobView job, Instant ended) {
    return Duration.between(job.submittedAt(), ended);
  }
}
