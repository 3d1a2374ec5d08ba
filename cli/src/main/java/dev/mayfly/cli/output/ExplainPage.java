package dev.mayfly.cli.output;

import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Formats a job's explanation as one page. */
public final class ExplainPage {
  private static final int FAILURES = 10;

  private ExplainPage() {}

  public static List<String> lines(
      JobStatus job, JobExplanation why, TaskSubjects taskSubjects, Instant now, Screen screen) {
    var lines = new ArrayList<String>();
    lines.add(
        "%s (%s)  %s: %s"
            .formatted(
                screen.paint(Style.TITLE, job.name()),
                job.uid(),
                screen.paint(Style.of(JobLines.state(job)), JobLines.state(job)),
                PrintableText.line(why.summary())));
    for (var reason : why.reasons())
      lines.add(
          "  "
              + screen.paint(Style.WARN, reason.kind())
              + ": "
              + PrintableText.line(reason.text()));
    if (!why.queue().isEmpty())
      lines.add("  before it: " + PrintableText.line(String.join(", ", why.queue())));
    lines.add("  each task asks for " + HumanAmounts.format(job.spec().resources()));
    job.image()
        .ifPresent(i -> lines.add("  image: " + PrintableText.line(i.image() + ", " + i.digest())));
    lines.add("  tasks: " + JobLines.done(job) + " done" + rest(job));
    var attempts = HumanFormat.counts(job.attempts());
    if (!attempts.isEmpty()) lines.add("  attempts without a result: " + attempts);
    job.outcome().ifPresent(o -> lines.add("  outcome: " + PrintableText.line(o)));
    failures(job, taskSubjects, now, screen, lines);
    events(why, now, screen, lines);
    return lines;
  }

  private static String rest(JobStatus job) {
    var rest = ProgressDisplay.summary(job);
    return rest.isEmpty() ? "" : ", " + rest;
  }

  private static void failures(
      JobStatus job, TaskSubjects taskSubjects, Instant now, Screen screen, List<String> lines) {
    if (job.failures().isEmpty()) return;
    lines.add("");
    lines.add("  the newest attempts without a result:");
    job.failures().stream()
        .limit(FAILURES)
        .forEach(f ->
            lines.add(
                "    "
                    + HumanFormat.clock(f.at(), now)
                    + " "
                    + screen.paint(Style.BAD, JobLines.failure(job, f, taskSubjects))));
  }

  private static void events(JobExplanation why, Instant now, Screen screen, List<String> lines) {
    if (why.events().isEmpty()) return;
    lines.add("");
    EventLines.table(why.events(), now)
        .lines(screen.withWidth(screen.width() - 2))
        .forEach(line -> lines.add("  " + line));
  }
}
