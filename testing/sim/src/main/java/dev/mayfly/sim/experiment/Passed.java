package dev.mayfly.sim.experiment;

import dev.mayfly.core.query.JobStatus;
import java.time.Duration;
import java.util.List;

/**
 * How far a run is.
 *
 * @param time that has passed in it
 * @param done tasks of the jobs that have come so far
 * @param tasks all of theirs
 */
public record Passed(Duration time, long done, long tasks) {
  static Passed of(Duration time, List<JobStatus> jobs) {
    return new Passed(
        time,
        jobs.stream().mapToLong(job -> job.totals().done()).sum(),
        jobs.stream().mapToLong(JobStatus::tasks).sum());
  }
}
