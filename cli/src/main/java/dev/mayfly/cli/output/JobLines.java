package dev.mayfly.cli.output;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.text.EndText;
import dev.mayfly.core.text.ExitCode;
import dev.mayfly.core.text.GitReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Formats jobs. */
public final class JobLines {
  /** Behind the time that ended jobs took. */
  private static final int LEFT = 6;

  private JobLines() {}

  /**
   * A table of jobs, newest first. Their uids, by which each can be named, are shown if asked for,
   * and where several have one name.
   *
   * @param costs what each has cost, by uid
   */
  public static Table table(
      List<JobStatus> jobs, Map<String, String> costs, boolean withUids, Instant now) {
    return table(jobs, costs, Map.of(), withUids, now);
  }

  /**
   * As {@link #table(List, Map, boolean, Instant)}.
   *
   * @param ends how long those that run may go on, by uid; the column is left out if it is empty
   */
  public static Table table(
      List<JobStatus> jobs,
      Map<String, String> costs,
      Map<String, String> ends,
      boolean withUids,
      Instant now) {
    var uids = withUids || !namesakes(jobs).isEmpty();
    var columns =
        new ArrayList<>(
            List.of(
                Column.name("JOB").least(20),
                Column.word("STATE"),
                Column.number("DONE"),
                Column.number("FAILED").leaves(6),
                Column.number("AGE").leaves(4),
                Column.number("TOOK").leaves(2),
                Column.number("COST").leaves(3),
                Column.name("OWNER").least(8).leaves(1),
                Column.remark("WHY").least(30)));
    if (!ends.isEmpty()) columns.add(LEFT, Column.number("LEFT").leaves(5));
    if (uids) columns.add(1, Column.word("UID"));
    var table = new Table(columns);
    for (var job : jobs) {
      var cells = new ArrayList<>(cells(job, costs, now));
      if (!ends.isEmpty()) cells.add(LEFT, TableCell.of(ends.getOrDefault(job.uid(), "-")));
      if (uids) cells.add(1, TableCell.of(job.uid()));
      table.row(cells);
    }
    return table;
  }

  private static List<TableCell> cells(JobStatus job, Map<String, String> costs, Instant now) {
    return List.of(
        TableCell.of(job.name()),
        TableCell.state(state(job)),
        TableCell.of(done(job)),
        new TableCell(
            HumanFormat.count(job.totals().failed()),
            job.totals().failed() > 0 ? Style.BAD : Style.PLAIN),
        TableCell.of(HumanFormat.age(job.submittedAt(), now)),
        TableCell.of(took(job).map(HumanFormat::result).orElse("-")),
        TableCell.of(costs.getOrDefault(job.uid(), "-")),
        TableCell.of(job.owner().orElse("-")),
        TableCell.of(why(job)));
  }

  /** Jobs whose name a newer one of the list has, which only their uids mean. */
  public static List<JobStatus> namesakes(List<JobStatus> newestFirst) {
    var seen = new HashSet<String>();
    return newestFirst.stream().filter(job -> !seen.add(job.address())).toList();
  }

  /** The folder below which the outputs of its tasks are; empty if it has none. */
  static Optional<String> outputs(JobStatus job) {
    var data = job.spec().data();
    if (data.outputs() == OutputMode.NONE) return Optional.empty();
    var one = data.output().orElse(job.bucket() + "/mayfly/{job}/{index}");
    var fixed = one.replace("{job}", job.uid()).replaceFirst("\\{.*", "");
    return Optional.of(fixed.substring(0, fixed.lastIndexOf('/') + 1));
  }

  /** The job's state; {@code waiting} if it has ready tasks and none runs. */
  public static String state(JobStatus job) {
    var waits =
        job.state().equals("running") && job.totals().leased() == 0 && job.totals().ready() > 0;
    return waits ? "waiting" : job.state();
  }

  /** What its columns do not say. */
  private static String why(JobStatus job) {
    var reason = job.reason().orElse("");
    return job.endedAt().isPresent() ? EndText.withoutCounts(reason) : reason;
  }

  /** The commit that its code was packed from. */
  static Optional<String> code(JobStatus job) {
    var from = job.spec().run().taskEnvironment().codeFrom();
    return from.map(it -> GitReference.of(it).words());
  }

  /** {@code 12/40}; a question mark while the tasks are not listed. */
  static String done(JobStatus job) {
    var all = job.isListed() ? HumanFormat.count(job.tasks()) : "?";
    return HumanFormat.count(job.totals().done()) + "/" + all;
  }

  /** One failed attempt of the job, and what its task works on. */
  public static String failure(JobStatus job, AttemptFailure f, TaskSubjects taskSubjects) {
    return failure(f, taskSubjects.of(job, f.index()));
  }

  static String failure(AttemptFailure f, String subject) {
    var exit = f.hadProcess() ? " (" + ExitCode.format(f.exitCode()) + ")" : "";
    var evidence = f.evidence().isBlank() ? "" : ": " + PrintableText.line(f.summary());
    return "task %d (%sattempt %s): %s%s on %s%s"
        .formatted(
            f.index(),
            subject.isEmpty() ? "" : PrintableText.line(subject) + ", ",
            PrintableText.line(f.attempt()),
            HumanFormat.word(f.cause().name()),
            exit,
            PrintableText.line(f.place()),
            evidence);
  }

  /** The outcome of an ended job in numbers, and on a line of its own why it ended so. */
  public static String ending(JobStatus job) {
    return endReason(job).map(why -> outcome(job) + "\n  " + why).orElseGet(() -> outcome(job));
  }

  /** Why it ended so; empty if its numbers say all. */
  private static Optional<String> endReason(JobStatus job) {
    // Without tasks the first line has no numbers, but the reason.
    return job.reason()
        .filter(_ -> job.tasks() > 0)
        .map(EndText::reason)
        .map(PrintableText::line)
        .filter(why -> !why.isBlank());
  }

  private static String outcome(JobStatus job) {
    var took =
        job.neverBegan()
            ? ", and never began"
            : took(job).map(it -> " in " + HumanFormat.result(it)).orElse("");
    if (job.tasks() == 0)
      return "job %s %s%s: %s"
          .formatted(job.name(), job.state(), took, job.reason().orElse("it had no tasks"));
    var failed =
        job.totals().failed() == 0
            ? ""
            : ", " + HumanFormat.count(job.totals().failed()) + " failed";
    var stopped =
        job.totals()
            .stopped()
            .map(n -> ", " + HumanFormat.count(n) + " stopped by users")
            .orElse("");
    var attempts = HumanFormat.counts(job.attempts());
    return "job %s %s%s: %s of %s done%s%s%s"
        .formatted(
            job.name(),
            job.state(),
            took,
            HumanFormat.count(job.totals().done()),
            HumanFormat.count(job.tasks(), "task"),
            earlier(job),
            failed + stopped,
            (attempts.isEmpty() ? "" : "; attempts without a result: " + attempts)
                + leftOut(job).map(words -> "; " + words).orElse(""));
  }

  /** How many inputs the job runs without; empty if there are none. */
  public static Optional<String> leftOut(JobStatus job) {
    return job.leftOut()
        .map(inputs ->
            "%s left out because of %s, %s: rename what is left out and submit again"
                .formatted(
                    HumanFormat.count(inputs.count(), "input"),
                    // A folder also holds links that lead nowhere, and pipes.
                    (inputs.count() == 1 ? "its name" : "their names")
                        + (inputs.first().startsWith("file:") ? ", or as no file" : ""),
                    (inputs.count() == 1 ? "" : "first ") + PrintableText.line(inputs.first())));
  }

  /** What ran and what needed not; empty if all of them just ran. */
  private static String earlier(JobStatus job) {
    var totals = job.totals();
    var adopted = totals.adopted().orElse(0L);
    if (totals.earlier() + adopted == 0) return "";
    var before =
        totals.earlier() == 0 ? "" : HumanFormat.count(totals.earlier()) + " done before, ";
    var run = HumanFormat.count(totals.done() - totals.earlier() - adopted) + " run";
    return " ("
        + before
        + run
        + (adopted == 0 ? ")" : ", " + HumanFormat.count(adopted) + " adopted)");
  }

  /**
   * Without the time in which it waited for other jobs. Empty while it has not ended, and of a job
   * that never began.
   */
  private static Optional<Duration> took(JobStatus job) {
    return job.endedAt()
        .filter(_ -> !job.neverBegan())
        .map(end -> Duration.between(job.mayRunSince().orElse(job.submittedAt()), end));
  }
}
