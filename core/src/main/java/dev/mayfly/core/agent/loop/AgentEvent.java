package dev.mayfly.core.agent.loop;

import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.MachineUse;
import dev.mayfly.core.model.sync.MountUse;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Input to an {@link Agent}. Every event may be late or duplicated; the agent ignores an event that
 * does not match its state.
 */
public sealed interface AgentEvent {
  /** An event about one attempt. */
  sealed interface AttemptEvent extends AgentEvent {
    TaskAttempt attempt();
  }

  /**
   * The first event. Before it, the executor has killed every process left under the work directory
   * and emptied that directory.
   */
  record Started(List<SyncReport.BootStep> boot) implements AgentEvent {
    public Started {
      boot = List.copyOf(boot);
    }
  }

  /**
   * The state of the machine's preparation; without this event an agent takes tasks at once. It may
   * precede {@link Started}, so that the first report includes it.
   *
   * @param boot all steps so far
   */
  record ReadinessChanged(List<SyncReport.BootStep> boot, MachineReadiness fitness)
      implements AgentEvent {
    public ReadinessChanged {
      boot = List.copyOf(boot);
    }
  }

  /** The alarm of {@link AgentEffect.WakeAt} went off; a surplus one does no harm. */
  record Woke() implements AgentEvent {}

  /** The answer to the sync with the same sequence number; answers to older ones are ignored. */
  record OrdersReceived(SyncOrders orders) implements AgentEvent {}

  /** The sync had no answer, or an unreadable one. */
  record SyncFailed(long seq, String reason) implements AgentEvent {}

  /** In answer to {@link AgentEffect.FetchTaskList}. */
  record TaskListFetched(String job, long chunk, List<TaskItem> items) implements AgentEvent {}

  record TaskListFetchFailed(String job, long chunk, String reason) implements AgentEvent {}

  /**
   * In answer to {@link AgentEffect.Survey}: what exists at the outputs of a lease's tasks.
   *
   * @param done tasks that have a sentinel, from any attempt
   * @param adopted those of them that have it since now: an attempt of this job had stored its
   *     output, and its agent ended before it could create the sentinel
   * @param taken tasks whose output is an object that is not Mayfly's and that the job may not
   *     overwrite
   */
  record Surveyed(LeaseRef lease, TaskSet done, TaskSet adopted, TaskSet taken)
      implements AgentEvent {}

  record SurveyFailed(LeaseRef lease, String reason) implements AgentEvent {}

  /**
   * The command ended by itself and <b>none of its processes is left</b>: the executor kills
   * leftover processes first.
   *
   * @param exitCode 128 + the signal's number if a signal ended it
   * @param cause of a nonzero exit: USER, OUT_OF_MEMORY, or INFRASTRUCTURE if the machine is to
   *     blame
   * @param evidence the last words of its log
   */
  record Exited(TaskAttempt attempt, int exitCode, FailureCause cause, String evidence)
      implements AttemptEvent {}

  /**
   * In answer to {@link AgentEffect.Prepare}: everything that a start needs is there.
   *
   * @param contact what was made for the attempt
   */
  record Prepared(TaskAttempt attempt, GangContact contact) implements AttemptEvent {}

  /**
   * The image that an attempt's tag resolved to on this machine; repeated at every start until the
   * job's info includes it.
   */
  record ImagePulled(TaskAttempt attempt, PinnedImage image) implements AttemptEvent {}

  /** Where the attempt's folder lies, if its job may want to keep it. */
  record FolderMade(TaskAttempt attempt, String path) implements AttemptEvent {}

  /** The generation of an attempt's input before its command starts, where it can be known. */
  record InputFound(TaskAttempt attempt, long generation) implements AttemptEvent {}

  /**
   * What lay at an output that the task writes itself, before its command starts: another attempt
   * left it, or somebody else.
   *
   * @param generation of the object; 0 if there was none
   */
  record OutputFound(TaskAttempt attempt, long generation) implements AttemptEvent {}

  /**
   * The newest metrics that a task reported; replaces the values before. A task's last ones precede
   * its {@link Exited}.
   */
  record MetricsRead(TaskAttempt attempt, Map<String, Double> values) implements AttemptEvent {
    public MetricsRead {
      values = Map.copyOf(values);
    }
  }

  /**
   * What an attempt's processes used so far; replaces what was measured before. The last one
   * precedes the attempt's end.
   */
  record UseMeasured(TaskAttempt attempt, TaskUse use) implements AttemptEvent {}

  /**
   * The attempt begins with a checkpoint.
   *
   * @param checkpoint its number, its time, and whose it is, in words
   */
  record CheckpointRestored(TaskAttempt attempt, String checkpoint) implements AttemptEvent {}

  /**
   * The attempt stored a checkpoint: the next attempt continues from it.
   *
   * @param until when the newest of what it has was written
   */
  record CheckpointStored(TaskAttempt attempt, Instant until) implements AttemptEvent {}

  /**
   * In answer to {@link AgentEffect.Prepare}: preparation failed, and nothing of it is left.
   *
   * @param machine whether the machine is to blame, as with a device that stays busy; it must be
   *     replaced
   * @param prospect of another preparation
   */
  record PrepareFailed(
      TaskAttempt attempt, FailureCause cause, boolean machine, String evidence, Prospect prospect)
      implements AttemptEvent {}

  /**
   * The command was not started, and no process is left.
   *
   * @param cause USER for what is wrong with the job (no such program, input not found), else
   *     INFRASTRUCTURE (disk, network, object store)
   * @param machine whether this machine alone is to blame: its disk, its process table
   * @param prospect of another start
   */
  record StartFailed(
      TaskAttempt attempt, FailureCause cause, boolean machine, String evidence, Prospect prospect)
      implements AttemptEvent {}

  /** Whether a repeat of what failed could succeed. */
  enum Prospect {
    /** It may: a service did not answer, or the task may do better. */
    OPEN,
    /**
     * Mayfly's account lacks a permission. A grant takes minutes to take effect everywhere; after
     * that a repeat would be denied alike.
     */
    DENIED,
    /** It would fail alike. */
    NONE
  }

  /**
   * In answer to {@link AgentEffect.Kill}: the attempt has no processes left, or never had any.
   *
   * @param exitCode of its first process, which may have ended by itself within the grace; 128 +
   *     the signal's number if a signal ended it
   */
  record Killed(TaskAttempt attempt, int exitCode) implements AttemptEvent {
    private static final int SIGKILL = 137;

    /** It was killed by force, or never began. */
    public Killed(TaskAttempt attempt) {
      this(attempt, SIGKILL);
    }
  }

  /**
   * In answer to {@link AgentEffect.Upload}: the output is in the store, perhaps from another
   * attempt.
   */
  record Uploaded(TaskAttempt attempt, StoredOutput output) implements AttemptEvent {}

  /**
   * In answer to {@link AgentEffect.Seal}: what the sentinel would pin is not there any more, so
   * there is none.
   */
  record OutputReplaced(TaskAttempt attempt) implements AttemptEvent {}

  /** In answer to {@link AgentEffect.Upload}: an object that is not Mayfly's is in the way. */
  record OutputExists(TaskAttempt attempt, String evidence) implements AttemptEvent {}

  /**
   * The sentinel exists.
   *
   * @param by the attempt that made it; empty if it is not Mayfly's
   * @param made what that attempt made the output from
   */
  record Sealed(TaskAttempt attempt, Optional<Sentinel.By> by, MadeFrom made)
      implements AttemptEvent {}

  /**
   * In answer to {@link AgentEffect.SealTogether}: for each of its attempts one of the answers to
   * {@link AgentEffect.Seal}.
   */
  record SealedTogether(List<AttemptEvent> ends) implements AgentEvent {
    public SealedTogether {
      ends = List.copyOf(ends);
    }
  }

  /**
   * An upload or a seal failed.
   *
   * @param retry whether a later try may succeed; otherwise only another attempt may
   * @param prospect of a later try or another attempt
   */
  record PublishFailed(TaskAttempt attempt, boolean retry, String reason, Prospect prospect)
      implements AttemptEvent {
    /** One after which something may succeed. */
    public PublishFailed(TaskAttempt attempt, boolean retry, String reason) {
      this(attempt, retry, reason, Prospect.OPEN);
    }
  }

  /**
   * In answer to {@link AgentEffect.Discard}: no later attempt finds what this one wrote.
   *
   * @param deleted whether there was anything
   */
  record Discarded(TaskAttempt attempt, boolean deleted) implements AttemptEvent {}

  /** A bug in Mayfly ended an upload or a seal; a retry would fail in the same way. */
  record PublishCrashed(TaskAttempt attempt, String reason) implements AttemptEvent {}

  /** In answer to {@link AgentEffect.FlushLogs}: the logs of all ended tasks are in the store. */
  record LogsFlushed() implements AgentEvent {}

  /** The cloud will preempt the machine. */
  record PreemptionNoticed(Instant at) implements AgentEvent {}

  /** A problem with the machine's devices; empty when it is over. */
  record DeviceProblem(Optional<MachineProblem> problem) implements AgentEvent {}

  /**
   * A device that tasks use is gone: the machine takes no more tasks until its agent starts again,
   * for a task that gets the dead device fails at once, and then the next one does.
   */
  record DevicesLost(String why) implements AgentEvent {}

  /**
   * Nothing could be written at this moment to the disk that attempts use: a look at it, or a write
   * of the agent's that failed. Repeated while it lasts, and before the {@link Exited} of a command
   * that ended then.
   */
  record DiskUnusable(DiskProblem problem) implements AgentEvent {}

  /** How full the machine's mounts are; replaces what was measured before. */
  record MountsMeasured(List<MountUse> mounts) implements AgentEvent {
    public MountsMeasured {
      mounts = List.copyOf(mounts);
    }
  }

  /** How busy and how full the machine's GPUs are; replaces what was measured before. */
  record GpusMeasured(List<GpuUse> gpus) implements AgentEvent {
    public GpusMeasured {
      gpus = List.copyOf(gpus);
    }
  }

  /** How busy and how full the machine is; replaces what was measured before. */
  record MachineMeasured(MachineUse use) implements AgentEvent {}

  /** This machine cannot enforce CPU and memory limits of tasks. */
  record Unlimited(String why) implements AgentEvent {}

  /** The process got SIGTERM: give everything back, then {@link AgentEffect.Quit}. */
  record StopRequested() implements AgentEvent {}

  /**
   * The stop must not wait any longer: kill all tasks without grace, then {@link AgentEffect.Quit}
   * as soon as none is left, even with unsent reports.
   */
  record StopNowRequested() implements AgentEvent {}
}
