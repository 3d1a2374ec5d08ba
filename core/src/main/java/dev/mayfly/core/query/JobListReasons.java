package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;

/**
 * Explains in a list of jobs why those without running tasks wait. One plan explains all of them,
 * and is made only if a job waits.
 */
final class JobListReasons {
  private final WaitingReader waits;

  JobListReasons(WaitingReader waits) {
    this.waits = waits;
  }

  /** The status, with the first reason if the job waits. */
  JobStatus withReason(JobStatus view, Job job) {
    var waiting =
        job.state() instanceof JobState.Running
            && view.totals().ready() > 0
            && view.totals().leased() == 0;
    if (!waiting) return view;
    return waits.of(job).stream()
        .findFirst()
        .map(first -> view.withReason(first.kind() + ": " + first.text()))
        .orElse(view);
  }
}
