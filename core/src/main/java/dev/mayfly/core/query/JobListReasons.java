package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.state.job.CrashLoopReader;
import java.time.Instant;

/**
 * Explains in a list of jobs why those without running tasks wait, and which fail alike. One plan
 * explains all of them, and is made only if a job waits.
 */
final class JobListReasons {
  /** Most running jobs whose first ranges of tasks are read. */
  private static final int MOST_READ = 50;

  private final WaitingReader waits;
  private final CrashLoopReader crashLoops;
  private final Instant now;
  private int read;

  JobListReasons(WaitingReader waits, CrashLoopReader crashLoops, Instant now) {
    this.waits = waits;
    this.crashLoops = crashLoops;
    this.now = now;
  }

  /** The status, with the first reason if the job waits, or that its tasks all fail alike. */
  JobStatus withReason(JobStatus view, Job job) {
    var waiting =
        job.state() instanceof JobState.Running
            && view.totals().ready() > 0
            && view.totals().leased() == 0;
    if (!waiting) return withCrashLoop(view, job);
    return waits.of(job).stream()
        .findFirst()
        .map(first -> view.withReason(first.kind() + ": " + first.text()))
        .orElse(view);
  }

  private JobStatus withCrashLoop(JobStatus view, Job job) {
    if (!(job.state() instanceof JobState.Running) || read == MOST_READ) return view;
    if (view.totals().done() == 0) read++;
    return crashLoops
        .of(job, view.totals())
        .map(loop -> VetoText.of(loop, now))
        .map(text -> view.withReason(text.kind() + ": " + text.text()))
        .orElse(view);
  }
}
