package dev.mayfly.core.model.job;

import dev.mayfly.core.model.AttemptFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How one task ended: a line of the outcome object. A job that ends before a task of it is known
 * has one line, about the job as a whole.
 *
 * @param index of the task; {@link #WHOLE_JOB} if the line is about the job
 * @param by the attempt that the sentinel names, after its job's uid; {@code foreign} if the
 *     sentinel is not Mayfly's
 * @param failure why the last attempt failed, if the ledger kept it
 * @param input the URL of its input, if it has one
 * @param variables its own {name} values
 * @param worker that made the sentinel, or where the last attempt failed
 * @param startedAt when the attempt began that made the sentinel, or failed last
 * @param endedAt when the sentinel was made, or the last attempt failed
 * @param attempts this job's; empty in outcomes of older versions
 * @param metrics the last that a done task reported
 * @param reason why it was not run
 * @param adoptedBy the attempt that made the sentinel for the one in {@code by}, which could not
 * @param continued the checkpoint that the attempt began with, in words
 * @param byTask the index in its own job of the task in {@code by}, if that is another job's;
 *     absent in outcomes of older versions
 * @param workers of a gang on several workers all that ran the attempt that made the sentinel, rank
 *     0's first; absent of others and in outcomes of older versions
 */
public record TaskOutcome(
    long index,
    Result result,
    Optional<String> output,
    Optional<String> by,
    Optional<AttemptFailure> failure,
    Optional<String> input,
    Map<String, String> variables,
    Optional<String> worker,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<TaskAttempts> attempts,
    Optional<Map<String, Double>> metrics,
    Optional<String> reason,
    Optional<String> adoptedBy,
    Optional<String> continued,
    Optional<Long> byTask,
    Optional<List<String>> workers) {
  /** The index of the line of a job without tasks. */
  public static final long WHOLE_JOB = -1;

  public TaskOutcome {
    variables = Map.copyOf(variables);
    workers = workers.map(List::copyOf);
  }

  /** The line of a job without tasks. */
  public static TaskOutcome ofJob(String reason) {
    return new TaskOutcome(
        WHOLE_JOB,
        Result.NOT_RUN,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(reason),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** With the reason, if it was not run. */
  public TaskOutcome because(Optional<String> why) {
    if (result != Result.NOT_RUN || why.isEmpty()) return this;
    return new TaskOutcome(
        index, result, output, by, failure, input, variables, worker, startedAt, endedAt, attempts,
        metrics, why, adoptedBy, continued, byTask, workers);
  }

  /** All that ran the attempt that made the sentinel, or failed last, as far as they are known. */
  public List<String> allWorkers() {
    return workers
        .or(() -> failure.flatMap(AttemptFailure::workers))
        .orElseGet(() -> worker.stream().toList());
  }

  /**
   * DONE, FAILED for good, STOPPED by a user's command about this task, NOT_RUN because the job was
   * stopped, or INCONSISTENT: sentinel and output differ.
   */
  public enum Result {
    DONE,
    FAILED,
    STOPPED,
    NOT_RUN,
    INCONSISTENT
  }
}
