package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.CountedProgress;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.plan.waiting.WaitingPlan;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes how far running jobs are into their documents, for people who read the console. The tick
 * has counted their tasks for its plan; so this costs no read, and a write a minute for each job of
 * which something changed.
 */
public final class JobProgressWriter {
  /** The most writes of one tick; those that were written longest ago come first. */
  private static final int MOST = 100;

  /** Ticks of a laptop may be seconds apart. */
  private static final Duration APART = Duration.ofSeconds(50);

  private final Context context;

  public JobProgressWriter(Context context) {
    this.context = context;
  }

  /**
   * What a tick knows.
   *
   * @param jobs those that have not ended
   * @param totals of a job's tasks, as they were counted
   * @param workers that are not gone
   */
  public record Seen(
      List<VersionedDocument<Job>> jobs,
      Function<Job, TaskTotals> totals,
      List<Worker> workers,
      WaitingPlan waiting) {}

  /** A job that changed meanwhile is left to the next tick. */
  public void write(Seen seen, FailureLog failureLog) {
    var now = context.clock().instant();
    seen.jobs().stream()
        .filter(stored -> stored.value().running() && isDue(stored.value(), now))
        .sorted(Comparator.comparing(stored -> writtenAt(stored.value())))
        .filter(stored -> isNews(stored.value(), progress(stored.value(), seen, now)))
        .limit(MOST)
        .forEach(stored ->
            failureLog.guard(
                "progress of job " + stored.value().spec().name(),
                () -> write(stored, progress(stored.value(), seen, now))));
  }

  private void write(VersionedDocument<Job> stored, CountedProgress progress) {
    var next = stored.value().withProgress(progress);
    var _ = context.ledger().commit(List.of(new LedgerWrite.Update(next, stored.version())));
  }

  private static Instant writtenAt(Job job) {
    return job.progress().map(CountedProgress::at).orElse(Instant.EPOCH);
  }

  private static boolean isDue(Job job, Instant now) {
    return !writtenAt(job).plus(APART).isAfter(now);
  }

  private static boolean isNews(Job job, CountedProgress progress) {
    return job.progress().map(before -> !before.isLike(progress)).orElse(!progress.isNothing());
  }

  private static CountedProgress progress(Job job, Seen seen, Instant now) {
    var totals =
        seen.totals()
            .apply(job)
            .ofTasks(job.tasks().count())
            .withEarlier(job.tasks().before().orElse(0L));
    var workers =
        seen.workers().stream()
            .filter(w -> w.held().stream().anyMatch(h -> h.job().equals(job.uid())))
            .count();
    var waits =
        totals.leased() == 0 && totals.ready() > 0
            ? seen.waiting().of(job.uid()).stream().findFirst().map(veto -> VetoText.of(veto, now))
            : Optional.<VetoText>empty();
    return new CountedProgress(
        now, totals, workers, waits.map(why -> why.kind() + ": " + why.text()));
  }
}
