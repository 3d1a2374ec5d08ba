package dev.mayfly.cli.output;

import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Formats a job's explanation as one page. */
public final class ExplainPage {
  private static final int FAILURES = 10;

  private ExplainPage() {}

  /**
   * @param cost of the job
   * @param estimate of its start and its end, until it has ended
   * @param used what its tasks used
   * @param notes what its submitter may not expect
   */
  public static List<String> lines(
      JobStatus job,
      JobExplanation why,
      Optional<ClusterCost> cost,
      Optional<JobEstimate> estimate,
      List<String> used,
      List<String> notes,
      TaskSubjects taskSubjects,
      Instant now,
      Screen screen) {
    var lines = new ArrayList<String>();
    lines.add(title(job, why, screen));
    for (var reason : reasons(job, why))
      lines.add(
          "  "
              + screen.paint(Style.WARN, reason.kind())
              + ": "
              + PrintableText.line(reason.text()));
    why.remedy()
        .ifPresent(it ->
            lines.add("  " + screen.paint(Style.TITLE, "to do") + ": " + PrintableText.line(it)));
    var told = why.reasons().stream().anyMatch(reason -> reason.kind().equals("turn"));
    if (!why.queue().isEmpty() && !told)
      lines.add("  before it: " + PrintableText.line(String.join(", ", why.queue())));
    lines.add("  each task asks for " + HumanAmounts.format(job.spec().resources()));
    used.forEach(line -> lines.add("  " + line));
    JobLines.code(job).ifPresent(it -> lines.add("  code: " + PrintableText.line(it)));
    job.image()
        .ifPresent(i -> lines.add("  image: " + PrintableText.line(i.image() + ", " + i.digest())));
    lines.add("  tasks: " + JobLines.done(job) + " done" + rest(job));
    estimate
        .flatMap(JobEstimate::start)
        .ifPresent(it -> lines.add("  start: " + PrintableText.line(start(it.text(), why))));
    estimate.ifPresent(it -> lines.add("  end: " + PrintableText.line(it.text())));
    cost.ifPresent(it -> lines.add("  cost: " + CostPage.jobLine(it, job.maxUsd())));
    var attempts = HumanFormat.counts(job.attempts());
    if (!attempts.isEmpty()) lines.add("  attempts without a result: " + attempts);
    JobLines.outputs(job)
        .ifPresent(folder ->
            lines.add(
                "  outputs: below %s; of one task: mayfly tasks %s/0"
                    .formatted(folder, command(job))));
    job.outcome().ifPresent(o -> lines.add("  outcome: " + PrintableText.line(o)));
    notes.forEach(note -> lines.add("  " + PrintableText.line(note)));
    lines.replaceAll(screen.program()::rewrite);
    failures(job, taskSubjects, now, screen, lines);
    var wrapped = new ArrayList<String>();
    for (var line : lines) wrapped.addAll(screen.wrapped(line, margin(line)));
    events(job, why, now, screen, wrapped);
    return wrapped;
  }

  /**
   * A reason that stands above is not told twice; it may be a moment older, and its ages with it.
   */
  private static String start(String text, JobExplanation why) {
    return why.reasons().stream()
        .filter(it -> ageless("unknown: " + it.text()).equals(ageless(text)))
        .findFirst()
        .map(it -> "unknown: " + it.kind())
        .orElse(text);
  }

  private static String ageless(String text) {
    return text.replaceAll("(?:[0-9]+[dhms])+", "");
  }

  /** How a command names it: a newer job may have the name of one that has ended. */
  private static String command(JobStatus job) {
    return job.endedAt().isPresent() ? job.uid() : job.name();
  }

  /** Of an ended job the summary has the only cause of its failures. */
  private static List<JobExplanation.Reason> reasons(JobStatus job, JobExplanation why) {
    var attempts = why.reasons().stream().filter(JobExplanation.Reason::tellsOfAttempts).count();
    if (job.endedAt().isEmpty() || attempts != 1) return why.reasons();
    return why.reasons().stream().filter(reason -> !reason.tellsOfAttempts()).toList();
  }

  /** A summary that begins with the state doesn't need it twice. */
  private static String title(JobStatus job, JobExplanation why, Screen screen) {
    var state = JobLines.state(job);
    var summary = PrintableText.line(why.summary());
    return "%s (%s)  %s%s"
        .formatted(
            screen.paint(Style.TITLE, job.name()),
            job.uid(),
            screen.paint(Style.of(state), state),
            summary.startsWith(state + " ") ? summary.substring(state.length()) : ": " + summary);
  }

  private static int margin(String line) {
    return line.length() - line.stripLeading().length() + 4;
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
                    + screen.moment(f.at(), now)
                    + " "
                    + screen.paint(Style.BAD, JobLines.failure(job, f, taskSubjects))));
    var rest = job.failures().size() - FAILURES;
    if (rest > 0)
      lines.add(
          screen
              .program()
              .rewrite("    and %d older: mayfly tasks %s".formatted(rest, command(job))));
  }

  private static void events(
      JobStatus job, JobExplanation why, Instant now, Screen screen, List<String> lines) {
    if (why.events().isEmpty()) return;
    lines.add("");
    EventLines.ofOne(why.events(), now, screen)
        .lines(screen.withWidth(screen.width() - 2))
        .forEach(line -> lines.add("  " + line));
    if (why.events().size() >= JobExplanation.MOST_EVENTS)
      lines.add(
          screen.program().rewrite("  older events, if any: mayfly events job/" + job.address()));
  }
}
