package dev.mayfly.core.query;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.JobAddress;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.LeftOutInputs;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.spending.RunTimeLimit;
import dev.mayfly.core.query.task.JobProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as users see it.
 *
 * @param state one word: waiting, expanding, running, stopping, finishing, succeeded, failed,
 *     stopped
 * @param reason why it is in that state, if known; in a list also why none of its tasks runs
 * @param attempts number of attempts without a result, by cause
 * @param failures the newest, with their evidence
 * @param bucket where its logs and outcome are
 * @param image the digest to which its image's tag was pinned at the first pull
 * @param openUntil until when tasks may be added, of an open job that nobody has closed
 * @param leftOut inputs that are no tasks, because their names cannot be used
 * @param mayRunSince since when nothing but a lack of machines keeps its tasks from running: it was
 *     accepted, the jobs that it waited for ended, or it was retried. Only older control planes
 *     omit it
 * @param version opaque; changes whenever its state or totals do. Only older control planes omit it
 * @param after the jobs that it waits for or waited for, in the order of its document
 * @param maxUsd what its tasks may cost in all, raised by retries or not; empty for any amount
 * @param runTime how long it may take; empty for any time
 * @param progress how far its running tasks are by what they report; absent where none reports a
 *     count with its total, and of a single job whose tasks run on more machines than are read for
 *     it
 * @param countedAt until when the ends of tasks on machines are in {@code totals}: more may have
 *     ended since. Absent where all are counted, of a list, and of an older control plane
 */
public record JobStatus(
    String name,
    String uid,
    String cluster,
    Optional<String> owner,
    String state,
    Optional<String> reason,
    long tasks,
    TaskTotals totals,
    Map<FailureCause, Long> attempts,
    List<AttemptFailure> failures,
    Instant submittedAt,
    Instant acceptedAt,
    Optional<Instant> endedAt,
    Optional<String> outcome,
    String bucket,
    JobSpec spec,
    Optional<PinnedImage> image,
    Optional<Instant> openUntil,
    Optional<LeftOutInputs> leftOut,
    Optional<Instant> mayRunSince,
    Optional<String> version,
    List<PredecessorStatus> after,
    Optional<Double> maxUsd,
    Optional<RunLimit> runTime,
    Optional<JobProgress> progress,
    Optional<Instant> countedAt) {
  public JobStatus {
    after = List.copyOf(after);
  }

  /** Whether it ended before one of its tasks began, so that it took no time. */
  public boolean neverBegan() {
    return endedAt.isPresent() && !state.equals("succeeded") && nothingBegan(totals, attempts);
  }

  /**
   * Whether none of its tasks began.
   *
   * @param attempts those that ended without a result
   */
  static boolean nothingBegan(TaskTotals totals, Map<FailureCause, Long> attempts) {
    return totals.done() == 0
        && totals.failed() == 0
        && attempts.keySet().stream().allMatch(cause -> cause == FailureCause.RETURNED);
  }

  /**
   * How long the job may take from the start of its first task: the stricter of its own limit,
   * raised by retries or not, and that of its cluster.
   *
   * @param since when that was, anew with each retry; empty before
   * @param until when it is stopped if it still runs; empty before
   * @param cluster whose file has the limit; empty if the job's own has it
   */
  public record RunLimit(
      Duration max, Optional<Instant> since, Optional<Instant> until, Optional<String> cluster) {
    static RunLimit of(RunTimeLimit limit) {
      return new RunLimit(limit.max(), limit.since(), limit.until(), limit.cluster());
    }
  }

  /** What commands call it: {@code OWNER/NAME}, or {@code NAME} without an owner. */
  public String address() {
    return JobAddress.of(owner, name);
  }

  /** Whether its tasks are known: they are listed when it starts. */
  public boolean isListed() {
    return !state.equals("waiting") && !state.equals("expanding");
  }

  /** Whether messages add tasks to it, or did. */
  public boolean isOpenJob() {
    return spec.tasks() instanceof TaskSource.Open;
  }

  /** The version of a job in this state with these totals; safe in a URL. */
  static String version(String state, long tasks, TaskTotals totals) {
    return "%s.%d.%d.%d.%d.%d"
        .formatted(state, tasks, totals.done(), totals.failed(), totals.ready(), totals.leased());
  }

  /** A copy with what only a list knows of the cluster beside it. */
  JobStatus with(Optional<String> why, Optional<JobProgress> howFar) {
    return new JobStatus(
        name,
        uid,
        cluster,
        owner,
        state,
        why,
        tasks,
        totals,
        attempts,
        failures,
        submittedAt,
        acceptedAt,
        endedAt,
        outcome,
        bucket,
        spec,
        image,
        openUntil,
        leftOut,
        mayRunSince,
        version,
        after,
        maxUsd,
        runTime,
        howFar,
        countedAt);
  }
}
