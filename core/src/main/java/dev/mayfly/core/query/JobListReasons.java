package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.query.task.RunningReasons;
import dev.mayfly.core.state.job.CrashLoopReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Explains in a list of jobs why those without running tasks wait, which fail alike, and which do
 * not go on. One plan explains all of them, and is made only if a job waits.
 */
final class JobListReasons {
  /** Most running jobs whose first ranges of tasks are read. */
  private static final int MOST_READ = 50;

  private final WaitingReader waits;
  private final CrashLoopReader crashLoops;
  private final RunningReasons running;
  private final Instant now;
  private int read;

  JobListReasons(WaitingReader waits, Ledger ledger, Instant now) {
    this.waits = waits;
    this.now = now;
    crashLoops = new CrashLoopReader(ledger);
    running = new RunningReasons(ledger, now);
  }

  /** The status, with the first reason if the job waits or does not go on. */
  JobStatus withReason(JobStatus view, Job job) {
    if (!(job.state() instanceof JobState.Running)) return view;
    var waiting = view.totals().ready() > 0 && view.totals().leased() == 0;
    return first(view, job, waiting)
        .map(reason -> view.withReason(reason.kind() + ": " + reason.text()))
        .orElse(view);
  }

  private Optional<JobExplanation.Reason> first(JobStatus view, Job job, boolean waiting) {
    if (waiting) return waits.of(job).stream().findFirst();
    return crashLoop(view, job)
        .or(() -> stopped(view, job))
        .map(text -> new JobExplanation.Reason(text.kind(), text.text()));
  }

  private Optional<VetoText> crashLoop(JobStatus view, Job job) {
    if (read == MOST_READ) return Optional.empty();
    if (view.totals().done() == 0) read++;
    return crashLoops.of(job, view.totals()).map(loop -> VetoText.of(loop, now));
  }

  /** Workers are read once, if a job has tasks on them. */
  private Optional<VetoText> stopped(JobStatus view, Job job) {
    var workers = view.totals().leased() > 0 ? waits.workers() : List.<Worker>of();
    return running.of(job, view.totals(), workers).stream().findFirst();
  }
}
