package dev.mayfly.cli.show;

import dev.mayfly.core.control.Explanation;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.plan.Amounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Why a job is where it is, on one page. */
public final class ExplainPage {
  private static final int FAILURES = 10;

  private ExplainPage() {}

  public static List<String> lines(JobView job, Explanation why, Instant now, Screen screen) {
    var lines = new ArrayList<String>();
    lines.add(
        "%s (%s)  %s: %s"
            .formatted(
                screen.paint(Tone.TITLE, job.name()),
                job.uid(),
                screen.paint(Tone.of(JobLines.state(job)), JobLines.state(job)),
                Printable.line(why.summary())));
    for (var reason : why.reasons())
      lines.add(
          "  " + screen.paint(Tone.WARN, reason.kind()) + ": " + Printable.line(reason.text()));
    if (!why.queue().isEmpty())
      lines.add("  before it: " + Printable.line(String.join(", ", why.queue())));
    lines.add("  each task asks for " + Amounts.say(job.spec().resources()));
    job.image()
        .ifPresent(i -> lines.add("  image: " + Printable.line(i.image() + ", " + i.digest())));
    lines.add("  tasks: " + JobLines.done(job) + " done" + rest(job));
    var attempts = Words.counts(job.attempts());
    if (!attempts.isEmpty()) lines.add("  attempts without a result: " + attempts);
    job.outcome().ifPresent(o -> lines.add("  outcome: " + Printable.line(o)));
    failures(job, screen, lines);
    events(why, now, screen, lines);
    return lines;
  }

  private static String rest(JobView job) {
    var rest = Progress.rest(job);
    return rest.isEmpty() ? "" : ", " + rest;
  }

  private static void failures(JobView job, Screen screen, List<String> lines) {
    if (job.failures().isEmpty()) return;
    lines.add("");
    lines.add("  the newest attempts without a result:");
    job.failures().stream()
        .limit(FAILURES)
        .forEach(f -> lines.add("    " + screen.paint(Tone.BAD, JobLines.failure(f))));
  }

  private static void events(Explanation why, Instant now, Screen screen, List<String> lines) {
    if (why.events().isEmpty()) return;
    lines.add("");
    EventLines.table(why.events(), now)
        .lines(screen.wide(screen.width() - 2))
        .forEach(line -> lines.add("  " + line));
  }
}
