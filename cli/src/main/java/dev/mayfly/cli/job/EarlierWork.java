package dev.mayfly.cli.job;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.HumanAmounts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Says whose log has what tasks printed that were done before their job, and did not run in it. */
final class EarlierWork {
  /** Of so many tasks of a job it is looked up. */
  private static final int PAGE = 100;

  private static final int MOST_NAMED = 3;
  private static final String LOGS = "mayfly logs ";

  private EarlierWork() {}

  /**
   * Empty if all of them ran in the job, as far as it is known.
   *
   * @param task the only one that is asked for
   * @param shown whether it has printed something itself
   */
  static Optional<String> of(ApiClient api, JobStatus job, OptionalLong task, boolean shown) {
    if (job.totals().done() == 0) return Optional.empty();
    if (task.isPresent())
      return shown
          ? Optional.empty()
          : api.findTask(job.cluster(), job.uid(), task.getAsLong())
              .flatMap(it -> note(List.of(it), job, true));
    if (job.totals().earlier() == 0) return Optional.empty();
    return note(
        api.tasks(job.cluster(), job.uid(), Optional.of("done"), 0, PAGE).tasks(), job, false);
  }

  private static Optional<String> note(List<TaskStatus> tasks, JobStatus job, boolean one) {
    var earlier = tasks.stream().filter(TaskStatus::doneBefore).toList();
    if (earlier.isEmpty()) return Optional.empty();
    var makers =
        earlier.stream()
            .flatMap(task -> task.doneBy().stream())
            .map(by -> one ? by : by.substring(0, by.indexOf('/')))
            .distinct()
            .toList();
    var what =
        one ? "task %d of job %s".formatted(earlier.getFirst().index(), job.name()) : of(job);
    return Optional.of(
        makers.isEmpty()
            ? what + " did not run: another program had made the output"
            : "%s did not run: adopted from %s %s; the log of that work: %s"
                .formatted(what, one ? "task" : "job", named(makers, ""), named(makers, LOGS)));
  }

  private static String of(JobStatus job) {
    return "%,d of %s of job %s"
        .formatted(
            job.totals().earlier(),
            HumanAmounts.count(job.totals().done(), "done task"),
            job.name());
  }

  private static String named(List<String> makers, String before) {
    var rest = makers.size() - MOST_NAMED;
    return makers.stream().limit(MOST_NAMED).map(before::concat).collect(Collectors.joining(", "))
        + (rest > 0 ? " and %d more".formatted(rest) : "");
  }
}
