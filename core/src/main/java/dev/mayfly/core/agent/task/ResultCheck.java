package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.loop.DiskProblem;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.ProcessEnd;
import dev.mayfly.core.model.sync.MachineProblem;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether what an attempt leaves may become its task's result. This is the one place that decides
 * it, from all that the agent has seen of its machine since the attempt began.
 *
 * <p>A full disk and a lost device spoil the result of any task: a program that does not check its
 * writes, or that goes on without its device, ends with 0 all the same. A suspension and a long
 * partition spoil none, but another worker may run the task by then.
 */
public final class ResultCheck {
  /** How long after a look the disk counts as unusable; looks come every second. */
  private static final Duration UNUSABLE = Duration.ofSeconds(3);

  private final AgentContext agentContext;
  private final SyncTimer sync;
  private Optional<SeenDisk> disk = Optional.empty();
  private Optional<Seen> lostDevice = Optional.empty();
  private ClockReading due;

  /** What was seen last, and when. */
  private record Seen(ClockReading at, String what) {}

  private record SeenDisk(ClockReading at, DiskProblem problem) {
    /** With what helps. */
    Seen spoiling() {
      var why = problem.what() + " while it ran, so exit code 0 proves nothing; ";
      return new Seen(at, why + problem.remedy());
    }
  }

  ResultCheck(AgentContext agentContext, SyncTimer sync) {
    this.agentContext = agentContext;
    this.sync = sync;
    due = agentContext.now();
  }

  /** Nothing could be written to the disk at this moment. */
  public void diskUnusable(DiskProblem what) {
    if (problem().isEmpty()) sync.syncNow();
    disk = Optional.of(new SeenDisk(agentContext.now(), what));
    agentContext.timerQueue.set(
        agentContext.now(),
        UNUSABLE,
        () -> {
          if (problem().isEmpty()) sync.syncNow();
        });
  }

  /** Why nothing that starts now could leave a result; another machine may. */
  public Optional<MachineProblem> problem() {
    return disk.filter(seen -> agentContext.now().monotonicSince(seen.at()).compareTo(UNUSABLE) < 0)
        .map(seen -> problem(seen.problem()));
  }

  private static MachineProblem problem(DiskProblem disk) {
    return switch (disk) {
      case DiskProblem.Full full ->
          MachineProblem.Kind.DISK_FULL.of(full.what() + "; no task starts until there is room");
      case DiskProblem.Broken broken -> MachineProblem.Kind.UNFIT.of(broken.what());
    };
  }

  /** A device that tasks use is gone since this moment at the latest. */
  public void deviceLost(String what) {
    lostDevice = Optional.of(new Seen(agentContext.now(), what));
  }

  /**
   * @param next when the last orders expect the next sync, by our clocks
   */
  public void due(ClockReading next) {
    due = next;
  }

  /** What the end of an attempt's command means. */
  RunState.Ending of(TaskRun run, AgentEvent.Exited end) {
    var exited = new ProcessEnd.Exited(end.exitCode());
    if (end.exitCode() != 0) return new RunState.Ending(exited, end.cause(), end.evidence(), false);
    return spoiled(run)
        .map(why -> new RunState.Ending(exited, FailureCause.INFRASTRUCTURE, why, false))
        .orElseGet(() -> new RunState.Ending(exited, end.cause(), end.evidence(), true));
  }

  /** Why exit code 0 is not this attempt's result, when its command has ended. */
  private Optional<String> spoiled(TaskRun run) {
    return since(run, disk.map(SeenDisk::spoiling))
        .or(() -> usesDevice(run) ? since(run, lostDevice) : Optional.empty());
  }

  private static Optional<String> since(TaskRun run, Optional<Seen> seen) {
    return seen.filter(s -> !s.at().monotonicSince(run.began).isNegative()).map(Seen::what);
  }

  private static boolean usesDevice(TaskRun run) {
    var needs = run.jobInfo.spec().resources();
    return needs.needsGpu() || needs.tpuChips() > 0;
  }

  /**
   * Why the attempt's task may run elsewhere by now: the machine was suspended during the attempt,
   * or the partition lasted so long that the work may have been given away.
   */
  Optional<String> mayRunElsewhere(TaskRun run) {
    var gap = agentContext.now().disagreement(run.began);
    if (gap.compareTo(agentContext.settings.clockSlack()) > 0)
      return Optional.of(
          "the machine was suspended, or its clock was set, by " + gap.toSeconds() + " s");
    var late = agentContext.now().since(due);
    if (late.compareTo(run.jobInfo.spec().run().cutOff()) < 0) return Optional.empty();
    return Optional.of(
        "no contact with the control plane for " + late.toSeconds() + " s past the due time");
  }
}
