package dev.mayfly.core.query.task;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.sync.StalledTask;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A task as users see it.
 *
 * @param job the job's uid
 * @param input the URL of its input, if it has one
 * @param gathered what a task reads as a folder, in words; its input is the list of that
 * @param output the URL of its output, where its sentinel is too
 * @param variables its own {name} values: an item's fields, a combination of a matrix, its seed
 * @param attempts empty for a job that an older version ended
 * @param workers that run it; or that ran the attempt which made its sentinel, or failed last; of a
 *     gang all, as far as they are known
 * @param startedAt when the attempt began that runs, made the sentinel or failed for good, if
 *     known; while its worker has not told, when its lease was granted
 * @param endedAt when its sentinel was made, or its last attempt failed for good, if known
 * @param failure the last failed attempt of a task that is not done, if the ledger kept it
 * @param failures the failed attempts that the ledger kept (50 of a shard), oldest first; of a task
 *     that is asked for alone
 * @param metrics the newest that are known of a running task, or the last of one that is done
 * @param progress how far it is by its metrics; absent where they have no count with its total
 * @param adoptedBy the attempt that made its sentinel for an earlier one, which could not
 * @param continued the checkpoint that the attempt began with which made its sentinel, in words
 * @param stalled why a running task does not go on, if it does not
 * @param waits why it does not go on, or does not run again, although a worker holds it, in words;
 *     empty where its agent says it
 * @param doneBefore its sentinel is not this job's: an earlier job, or another program, made it
 * @param doneBy the task of that earlier job, as its uid, a slash and an index: whose log is that
 *     of the work; absent of another program, and of jobs that an older version ended
 * @param use what the attempt used that runs, made the sentinel or failed last; absent where that
 *     was not measured
 * @param metricsAt when the newest metrics of a running task were read on its machine; of an older
 *     agent, when the control plane wrote them
 * @param diverged metrics whose newest value is NaN or an infinity, after a number; absent if none,
 *     and of a task whose agent does not tell it
 */
public record TaskStatus(
    String job,
    long index,
    State state,
    Optional<String> input,
    Optional<String> gathered,
    Optional<String> output,
    Map<String, String> variables,
    Optional<TaskAttempts> attempts,
    List<String> workers,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<AttemptFailure> failure,
    Optional<List<AttemptFailure>> failures,
    Optional<Map<String, Double>> metrics,
    Optional<TaskProgress> progress,
    Optional<String> adoptedBy,
    Optional<String> continued,
    Optional<StalledTask> stalled,
    Optional<String> waits,
    boolean doneBefore,
    Optional<String> doneBy,
    Optional<TaskUse> use,
    Optional<Instant> metricsAt,
    Optional<List<String>> diverged) {
  public TaskStatus {
    variables = Map.copyOf(variables);
    workers = List.copyOf(workers);
    failures = failures.map(List::copyOf);
    metrics = metrics.map(Map::copyOf);
    diverged = diverged.map(List::copyOf);
  }

  /** A copy with its history. */
  public TaskStatus withFailures(List<AttemptFailure> all) {
    return new TaskStatus(
        job,
        index,
        state,
        input,
        gathered,
        output,
        variables,
        attempts,
        workers,
        startedAt,
        endedAt,
        failure,
        Optional.of(all),
        metrics,
        progress,
        adoptedBy,
        continued,
        stalled,
        waits,
        doneBefore,
        doneBy,
        use,
        metricsAt,
        diverged);
  }

  /**
   * WAITING to be started or started again; RUNNING; DONE, it has a sentinel; FAILED for good;
   * STOPPED before it was done, with its job or alone; or INCONSISTENT: its output is not the one
   * that its sentinel pins.
   */
  public enum State {
    WAITING,
    RUNNING,
    DONE,
    FAILED,
    STOPPED,
    INCONSISTENT
  }
}
