package dev.mayfly.core.sync;

import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** What a report measures of tasks, GPUs and mounts: stored as rarely as each of them allows. */
final class Measurements {
  private Measurements() {}

  /** The jobs of which something is measured on the worker. */
  static Stream<String> jobs(Worker was, SyncReport report) {
    var ofTasks = report.metrics().stream().map(TaskMetrics::job);
    var ofGpus = was.held().stream().map(Worker.Held::job);
    return report.gpuUses().isEmpty() ? ofTasks : Stream.concat(ofTasks, ofGpus);
  }

  /**
   * The worker with what is due to be stored.
   *
   * @param pause how young the stored values may be for a write to be left out
   * @param alone whether nothing else of the report is to be written
   */
  static Worker updated(
      Worker worker,
      SyncReport report,
      Duration pause,
      boolean alone,
      Timings timings,
      Instant now) {
    var next = MetricsThrottle.updated(worker, report.metrics(), pause, now);
    next = GpuUseThrottle.updated(next, report.gpuUses(), pause, now);
    return MountThrottle.updated(next, report.mounts(), alone, timings, now);
  }
}
