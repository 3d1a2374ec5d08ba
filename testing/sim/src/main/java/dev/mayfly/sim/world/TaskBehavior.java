package dev.mayfly.sim.world;

import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fault.FaultInjector;
import dev.mayfly.sim.scenario.TaskModel;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How tasks behave: how long they run, and whether an attempt fails, hangs or leaves no output. */
final class TaskBehavior {
  /**
   * @param runs empty if it hangs
   * @param exitCode 0 if it succeeds
   */
  record PlannedRun(
      Duration runs, boolean hangs, int exitCode, boolean outOfMemory, boolean leavesOutput) {}

  private final SimRandom simRandom;
  private final FaultInjector faultInjector;
  private final TaskModel taskModel;

  private final Optional<Duration> settle;

  /** By task, what its newest checkpoint has. */
  private final Map<Long, Duration> kept = new HashMap<>();

  TaskBehavior(
      SimRandom simRandom,
      FaultInjector faultInjector,
      TaskModel taskModel,
      Optional<Duration> settle) {
    this.settle = settle;
    this.simRandom = simRandom;
    this.faultInjector = faultInjector;
    this.taskModel = taskModel;
  }

  /** The behavior of that job's tasks in this world. */
  static TaskBehavior of(World world, String uid) {
    var address =
        world.truth().all(Job.class).stream()
            .filter(j -> j.uid().equals(uid))
            .map(j -> j.spec().address())
            .findFirst()
            .orElseThrow();
    var planned =
        world.scenario().jobs().stream()
            .filter(j -> j.spec().address().equals(address))
            .findFirst()
            .orElseThrow();
    return new TaskBehavior(
        world.dice().of("tasks"), world.weather(), planned.tasks(), planned.spec().settle());
  }

  /** How long the last host of a gang may run after the first, by the job's spec. */
  Optional<Duration> settle() {
    return settle;
  }

  /** How often an attempt stores a checkpoint; empty for never. */
  Optional<Duration> checkpoints() {
    return taskModel.checkpoints();
  }

  /** What of the task need not run again. */
  Duration kept(long task) {
    return kept.getOrDefault(task, Duration.ZERO);
  }

  /** An attempt that began with what was kept has stored a checkpoint after so long. */
  void keep(long task, Duration more) {
    kept.merge(task, more, Duration::plus);
  }

  /** Whether this attempt fails by the model; its next one may not. */
  private boolean fails(TaskAttempt taskAttempt) {
    return taskModel.failing() > 0
        && simRandom.of("failure of " + taskAttempt).chance(taskModel.failing());
  }

  /**
   * The plan of one attempt. The duration is the same for each attempt of a task.
   *
   * @param gang whether several hosts run the task together
   */
  PlannedRun of(TaskAttempt taskAttempt, boolean gang) {
    var own = simRandom.of(taskAttempt.lease().job() + "/" + taskAttempt.index());
    var runs = taskModel.runs().draw(own).minus(kept(taskAttempt.index()));
    if (fails(taskAttempt)) return new PlannedRun(runs.dividedBy(2), false, 1, false, false);
    if (faultInjector.strikes(Fault.TASK_HANGS)) return new PlannedRun(runs, true, 0, false, false);
    if (faultInjector.strikes(Fault.TASK_FAILS))
      return new PlannedRun(runs.dividedBy(2), false, 3, false, false);
    if (gang && faultInjector.strikes(Fault.HOST_OF_A_GANG_FAILS))
      return new PlannedRun(runs.dividedBy(2), false, 4, false, false);
    if (faultInjector.strikes(Fault.TASK_OUT_OF_MEMORY))
      return new PlannedRun(runs.dividedBy(2), false, 137, true, false);
    return new PlannedRun(
        runs, false, 0, false, !faultInjector.strikes(Fault.TASK_LEAVES_NO_OUTPUT));
  }
}
