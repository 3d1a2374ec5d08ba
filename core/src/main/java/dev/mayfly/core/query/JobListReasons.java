package dev.mayfly.core.query;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.query.task.JobProgress;
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

  JobListReasons(WaitingReader waits, Ledger ledger, Timings timings, Instant now) {
    this.waits = waits;
    this.now = now;
    crashLoops = new CrashLoopReader(ledger);
    running = new RunningReasons(ledger, timings, now);
  }

  /**
   * The status, with how far its tasks are, and with the first reason if the job waits or does not
   * go on.
   */
  JobStatus complete(JobStatus view, Job job) {
    if (!(job.state() instanceof JobState.Running)) return view;
    var progress = JobProgress.of(job, workers(view));
    var waiting = view.totals().ready() > 0 && view.totals().leased() == 0;
    return first(view, job, waiting)
        .map(reason -> view.with(Optional.of(reason.kind() + ": " + reason.text()), progress))
        .orElseGet(() -> view.with(view.reason(), progress));
  }

  private Optional<JobExplanation.Reason> first(JobStatus view, Job job, boolean waiting) {
    if (waiting) {
      var reason = waits.of(job).stream().findFirst();
      return reason.isPresent() ? reason : ends(view, job).map(this::reason);
    }
    var ends = ends(view, job);
    return ends.filter(JobVeto.CrashLoop.class::isInstance)
        .map(this::reason)
        .or(() -> stopped(view, job))
        .or(() -> ends.map(this::reason));
  }

  private JobExplanation.Reason reason(JobVeto veto) {
    var text = VetoText.of(veto, now);
    return new JobExplanation.Reason(text.kind(), text.text());
  }

  /** That its attempts end alike, or by the infrastructure alone. */
  private Optional<JobVeto> ends(JobStatus view, Job job) {
    if (read == MOST_READ || view.totals().done() > 0) return Optional.empty();
    read++;
    return crashLoops.orInterrupted(job, view.totals());
  }

  /** They are read once, if a job has tasks on them. */
  private List<Worker> workers(JobStatus view) {
    return view.totals().leased() > 0 ? waits.workers() : List.of();
  }

  private Optional<JobExplanation.Reason> stopped(JobStatus view, Job job) {
    return running.of(job, view.totals(), workers(view)).stream()
        .map(text -> new JobExplanation.Reason(text.kind(), text.text()))
        .findFirst();
  }
}
