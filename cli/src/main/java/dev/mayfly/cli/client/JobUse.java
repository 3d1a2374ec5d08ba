package dev.mayfly.cli.client;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.UseText;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a job's tasks ask for and used, in words.
 *
 * @param asks what each task asks for
 * @param used of that what those that are done used, or why that is not known; empty where nothing
 *     was measured
 * @param advice what to ask for instead, if more tasks would fit on a machine with that
 * @param diverged how many of those that are done are worth nothing, by their metrics
 * @param waited of an ended job how long it waited for machines before its first task began, and
 *     why, where that is known
 * @param lost what its attempts ran for nothing that ended by no fault of theirs
 */
public record JobUse(
    String asks,
    Optional<String> used,
    Optional<String> advice,
    Optional<String> diverged,
    Optional<String> waited,
    Optional<String> lost) {
  /** How many tasks that are done are read. */
  private static final int LOOKED_AT = 500;

  public static JobUse of(ApiClient api, JobStatus job) {
    var use = ofTasks(api, job, HumanAmounts.format(job.spec().resources()));
    return use.with(use.waited, JobLosses.of(job));
  }

  /** Of a job whose use was not measured, as in a simulation. */
  public static JobUse unmeasured(JobStatus job) {
    return unmeasured(HumanAmounts.format(job.spec().resources()), Optional.empty())
        .with(Optional.empty(), JobLosses.of(job));
  }

  private static JobUse ofTasks(ApiClient api, JobStatus job, String asks) {
    if (job.totals().done() == 0) return unmeasured(asks, Optional.empty());
    try {
      return ofDone(api, job, asks);
    } catch (UnavailableException | InvalidInputException unread) {
      var why = Optional.of("what its tasks used is not known: " + unread.getMessage());
      return new JobUse(
          asks, why, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  private JobUse with(Optional<String> wait, Optional<String> loss) {
    return new JobUse(asks, used, advice, diverged, wait, loss);
  }

  private static JobUse unmeasured(String asks, Optional<String> diverged) {
    return new JobUse(
        asks, Optional.empty(), Optional.empty(), diverged, Optional.empty(), Optional.empty());
  }

  /** What is known, a line each. */
  public List<String> told() {
    return Stream.of(diverged, waited, lost, used, advice).flatMap(Optional::stream).toList();
  }

  private static JobUse ofDone(ApiClient api, JobStatus job, String asks) {
    var tasks = api.tasks(job.cluster(), job.uid(), Optional.of("done"), 0, LOOKED_AT).tasks();
    var uses = tasks.stream().flatMap(task -> task.use().stream()).toList();
    var diverged = diverged(job, tasks);
    var waited = JobWait.of(api, job, tasks);
    if (uses.isEmpty()) return unmeasured(asks, diverged).with(waited, Optional.empty());
    var asked = job.spec().resources();
    var advice =
        newestMachine(api, job, tasks)
            .flatMap(it -> UseText.advice(uses, asked, it.total(), it.machineType()));
    var used = Optional.of("used: " + UseText.of(uses, asked));
    return new JobUse(asks, used, advice, diverged, waited, Optional.empty());
  }

  private static Optional<String> diverged(JobStatus job, List<TaskStatus> done) {
    var off = done.stream().filter(task -> task.diverged().isPresent()).toList();
    if (off.isEmpty()) return Optional.empty();
    var names =
        off.stream().flatMap(task -> task.diverged().get().stream()).distinct().sorted().toList();
    var some = job.totals().done() > done.size();
    return Optional.of(
        "diverged: %s, counted as done: %s became NaN or an infinity"
            .formatted(
                HumanAmounts.count(off.size(), "task")
                    + (some ? " of the first %,d that are done".formatted(done.size()) : ""),
                String.join(", ", names)));
  }

  private static Optional<WorkerStatus> newestMachine(
      ApiClient api, JobStatus job, List<TaskStatus> tasks) {
    var ran = tasks.stream().flatMap(task -> task.workers().stream()).collect(Collectors.toSet());
    return api.workers(job.cluster(), true).stream()
        .filter(worker -> ran.contains(worker.name()))
        .max(Comparator.comparing(WorkerStatus::createdAt));
  }
}
