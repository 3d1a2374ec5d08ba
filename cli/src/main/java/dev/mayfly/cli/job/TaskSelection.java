package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Some tasks of a job, as a command names them: {@code reddit/3} or {@code reddit/3,5-9}.
 *
 * @param job the job's name, {@code OWNER/NAME} or uid
 */
record TaskSelection(String job, TaskRanges tasks) {
  private static final int PAGE = 500;

  /** More tasks are not counted: a command that has done its work must not read for minutes. */
  private static final int MOST_COUNTED = 10_000;

  /** Empty for a text that names a whole job. */
  static Optional<TaskSelection> parse(String text) {
    var slash = text.lastIndexOf('/');
    // A name begins with a letter: what does not is tasks.
    if (slash < 0 || text.substring(slash + 1).matches("[a-z].*")) return Optional.empty();
    try {
      return Optional.of(
          new TaskSelection(text.substring(0, slash), TaskRanges.parse(text.substring(slash + 1))));
    } catch (IllegalArgumentException wrong) {
      throw CommandException.input(text + " " + wrong.getMessage());
    }
  }

  /**
   * Publishes the command and waits until it is carried out.
   *
   * @param kind of the document
   */
  JobStatus publish(CliContext cliContext, JobStatus before, String kind) {
    var fields =
        Map.of(
            "cluster",
            before.cluster(),
            "job",
            before.address(),
            "tasks",
            tasks.ranges().stream().map(TaskRanges.Range::toString).toList());
    return cliContext.publishRecorded(
        UserDocuments.of(kind, fields),
        "the command about tasks " + tasks + " of " + before.name(),
        before.cluster(),
        "job/" + before.address(),
        () -> cliContext.api().job(before.cluster(), before.uid()));
  }

  /**
   * The named tasks by state: {@code 3 stopped, 1 done}; of very many the first ones.
   *
   * @param text what is said of them
   */
  record States(Map<String, Long> counts, String text) {
    long done() {
      return counts.getOrDefault("done", 0L);
    }
  }

  States states(CliContext cliContext, JobStatus of) {
    var counts = new LinkedHashMap<String, Long>();
    var seen = new long[1];
    var all =
        eachPage(
            cliContext,
            of,
            Optional.empty(),
            page -> {
              for (var task : page)
                counts.merge(task.state().name().toLowerCase(Locale.ROOT), 1L, Long::sum);
              seen[0] += page.size();
              return seen[0] < MOST_COUNTED;
            });
    var text =
        counts.entrySet().stream()
            .map(e -> e.getValue() + " " + e.getKey())
            .collect(Collectors.joining(", "));
    return new States(counts, all ? text : "%s, of the first %,d of them".formatted(text, seen[0]));
  }

  /** Whether one of them still runs. */
  boolean isRunning(CliContext cliContext, JobStatus of) {
    return !eachPage(cliContext, of, Optional.of("running"), List::isEmpty);
  }

  /**
   * Whether all pages of the named tasks were read.
   *
   * @param goOn gets the named tasks of a page; false if that is enough
   */
  private boolean eachPage(
      CliContext cliContext,
      JobStatus of,
      Optional<String> state,
      Predicate<List<TaskStatus>> goOn) {
    var last = tasks.ranges().stream().mapToLong(TaskRanges.Range::last).max().orElse(0);
    var from =
        Optional.of(tasks.ranges().stream().mapToLong(TaskRanges.Range::from).min().orElse(0));
    while (from.isPresent() && from.get() <= last) {
      var page = cliContext.api().tasks(of.cluster(), of.uid(), state, from.get(), PAGE);
      var named = page.tasks().stream().filter(task -> tasks.has(task.index())).toList();
      if (!goOn.test(named)) return false;
      var before = from.get();
      from = page.next().filter(next -> next > before);
    }
    return true;
  }
}
