package dev.mayfly.core.sync;

import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MeasuredMachine;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.state.ElapsedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** What a report measures of tasks, machines and mounts: stored as rarely as each allows. */
final class Measurements {
  /** Where nothing but the use of the machine has changed. */
  private static final Duration MACHINE_PAUSE = Duration.ofMinutes(10);

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
    next = machine(next, report, alone, now);
    return MountThrottle.updated(next, report.mounts(), alone, timings, now);
  }

  /** Rides along with other changes; alone it is written seldom, and a small change never. */
  private static Worker machine(Worker worker, SyncReport report, boolean alone, Instant now) {
    var known = worker.machineUse();
    if (report.machineUse().equals(known.map(MeasuredMachine::use))) return worker;
    var near = known.flatMap(was -> report.machineUse().map(was.use()::isNear)).orElse(false);
    var young =
        known.filter(was -> !ElapsedTime.hasPassed(was.at(), MACHINE_PAUSE, now)).isPresent();
    if (alone && (near || young)) return worker;
    return worker.withMachineUse(report.machineUse().map(use -> new MeasuredMachine(now, use)));
  }
}
