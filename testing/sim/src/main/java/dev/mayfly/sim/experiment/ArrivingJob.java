package dev.mayfly.sim.experiment;

import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.sim.scenario.TaskModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job, when it is submitted, and how its tasks go.
 *
 * @param at from the start
 */
public record ArrivingJob(JobSpec spec, Duration at, TaskModel tasks) {
  /**
   * The job without what a simulation does not do: it runs no command, reads and writes no objects,
   * and installs nothing. Resources, limits, retries, places and priorities stay.
   *
   * @param name another name, if it arrives several times
   * @param count how many tasks it has
   */
  public static ArrivingJob of(
      JobSpec spec, String name, long count, Duration at, TaskModel tasks) {
    var run = spec.run();
    var bare =
        new JobSpec.Run(
            List.of("simulated"),
            Optional.empty(),
            Map.of(),
            run.timeout(),
            run.grace(),
            run.cutOff(),
            Map.of(),
            Optional.empty(),
            Map.of(),
            TaskRights.NONE,
            Optional.empty());
    var noData =
        new JobSpec.Data(Optional.empty(), false, OutputMode.NONE, false, Optional.empty());
    return new ArrivingJob(
        new JobSpec(
            name,
            spec.cluster(),
            spec.owner(),
            new TaskSource.Count(count),
            noData,
            bare,
            spec.resources(),
            spec.retries(),
            spec.priority(),
            spec.place(),
            spec.exclusive(),
            spec.gang(),
            true,
            spec.settle(),
            Optional.of(confirmed(spec.admission()))),
        at,
        tasks);
  }

  /** Until when it should be done, from the start; empty for at any time. */
  Optional<Duration> deadline() {
    return spec.retries().onDemand().deadline().map(at::plus);
  }

  /** Who asks what it would cost is not asked whether they mean it. */
  private static AdmissionRules confirmed(AdmissionRules rules) {
    return new AdmissionRules(
        rules.after(),
        rules.concurrency(),
        rules.queueTimeout(),
        Optional.of(true),
        rules.maxUsd(),
        rules.maxRunTime());
  }
}
