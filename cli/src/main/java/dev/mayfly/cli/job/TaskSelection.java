package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Some tasks of a job, as a command names them: {@code reddit/3} or {@code reddit/3,5-9}.
 *
 * @param job the job's name, {@code OWNER/NAME} or uid
 */
record TaskSelection(String job, TaskRanges tasks) {
  private static final int SHOWN = 500;

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

  /** The named tasks by state: {@code 3 stopped, 1 done}; of many the first ones. */
  String states(CliContext cliContext, JobStatus of) {
    var counts =
        states(
            cliContext
                .api()
                .tasks(of.cluster(), of.uid(), Optional.empty(), first(), SHOWN)
                .tasks());
    return counts.entrySet().stream()
        .map(e -> e.getValue() + " " + e.getKey())
        .collect(Collectors.joining(", "));
  }

  /** Whether one of them still runs. */
  boolean isRunning(CliContext cliContext, JobStatus of) {
    var running = Optional.of("running");
    return cliContext.api().tasks(of.cluster(), of.uid(), running, first(), SHOWN).tasks().stream()
        .anyMatch(task -> tasks.has(task.index()));
  }

  private long first() {
    return tasks.ranges().stream().mapToLong(TaskRanges.Range::from).min().orElse(0);
  }

  private Map<String, Long> states(List<TaskStatus> all) {
    return all.stream()
        .filter(task -> tasks.has(task.index()))
        .collect(
            Collectors.groupingBy(
                task -> task.state().name().toLowerCase(java.util.Locale.ROOT),
                LinkedHashMap::new,
                Collectors.counting()));
  }
}
