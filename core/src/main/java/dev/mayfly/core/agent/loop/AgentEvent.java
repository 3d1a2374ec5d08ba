package dev.mayfly.core.agent.loop;

import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an {@link Agent} is told. Every event may come late or twice: one that does not fit what the
 * agent waits for changes nothing.
 */
public sealed interface AgentEvent {
  /** What became of one attempt. */
  sealed interface AttemptEvent extends AgentEvent {
    TaskAttempt attempt();
  }

  /**
   * The first event. Before it the executor has killed every process left under the work directory
   * and emptied it.
   */
  record Started(List<SyncReport.BootStep> boot) implements AgentEvent {
    public Started {
      boot = List.copyOf(boot);
    }
  }

  /**
   * What the machine's preparation has come to; an agent that is never told takes tasks at once. It
   * may come before {@link Started}, so that the first report tells of it.
   *
   * @param boot all steps so far
   */
  record ReadinessChanged(List<SyncReport.BootStep> boot, MachineReadiness fitness)
      implements AgentEvent {
    public ReadinessChanged {
      boot = List.copyOf(boot);
    }
  }

  /** The alarm of {@link AgentEffect.WakeAt} went off; one too many does no harm. */
  record Woke() implements AgentEvent {}

  /** The answer to the sync with the same sequence number; answers to older ones are ignored. */
  record OrdersReceived(SyncOrders orders) implements AgentEvent {}

  /** The sync had no answer, or none that could be read. */
  record SyncFailed(long seq, String reason) implements AgentEvent {}

  /** A task list object was read, in answer to {@link AgentEffect.FetchTaskList}. */
  record TaskListFetched(String job, long chunk, List<TaskItem> items) implements AgentEvent {}

  record TaskListFetchFailed(String job, long chunk, String reason) implements AgentEvent {}

  /**
   * What lay at the outputs of a lease's tasks, in answer to {@link AgentEffect.Survey}.
   *
   * @param done tasks that have a sentinel, whoever made it; finished uploads without one were
   *     given theirs
   * @param taken tasks at whose output lies an object that is not Mayfly's and that the job may not
   *     replace
   */
  record Surveyed(LeaseRef lease, TaskSet done, TaskSet taken) implements AgentEvent {}

  record SurveyFailed(LeaseRef lease, String reason) implements AgentEvent {}

  /**
   * The command ended by itself and <b>none of its processes is left</b>: the executor kills what
   * it left behind before it says this.
   *
   * @param exitCode 128 + the signal's number if one ended it
   * @param cause whose fault it is if it is not 0: USER, OUT_OF_MEMORY, or INFRASTRUCTURE for what
   *     the machine did to it
   * @param evidence the last words of its log
   */
  record Exited(TaskAttempt attempt, int exitCode, FailureCause cause, String evidence)
      implements AttemptEvent {}

  /** In answer to {@link AgentEffect.Prepare}: a start would find everything that it needs. */
  record Prepared(TaskAttempt attempt) implements AttemptEvent {}

  /**
   * An attempt's image was brought here by its tag, and is this; told again at every start until
   * the job's sheet says it.
   */
  record ImagePulled(TaskAttempt attempt, PinnedImage image) implements AttemptEvent {}

  /**
   * In answer to {@link AgentEffect.Prepare}: it can't be, and nothing of it is left.
   *
   * @param machine whether the machine is to blame, as with a device that stays busy: it has to be
   *     replaced
   */
  record PrepareFailed(TaskAttempt attempt, FailureCause cause, boolean machine, String evidence)
      implements AttemptEvent {}

  /**
   * The command was not started, and no process is left.
   *
   * @param cause USER where another start would fail alike (no such program, input not found), else
   *     INFRASTRUCTURE (disk, network, object store)
   * @param machine whether this machine alone is to blame: its disk, its process table
   */
  record StartFailed(TaskAttempt attempt, FailureCause cause, boolean machine, String evidence)
      implements AttemptEvent {}

  /**
   * In answer to {@link AgentEffect.Kill}: none of the attempt's processes is left, or there never
   * was one.
   *
   * @param exitCode of its first process, which may have ended by itself in the time that it had;
   *     128 + the signal's number if one ended it
   */
  record Killed(TaskAttempt attempt, int exitCode) implements AttemptEvent {
    private static final int SIGKILL = 137;

    /** It was ended by force, or never began. */
    public Killed(TaskAttempt attempt) {
      this(attempt, SIGKILL);
    }
  }

  /**
   * In answer to {@link AgentEffect.Upload}: the output is in the store; it may be another
   * attempt's.
   */
  record Uploaded(TaskAttempt attempt, StoredOutput output) implements AttemptEvent {}

  /** In answer to {@link AgentEffect.Upload}: an object that is not Mayfly's lies there. */
  record OutputExists(TaskAttempt attempt, String evidence) implements AttemptEvent {}

  /** The sentinel is there. {@code by} tells who made it; empty if it is not Mayfly's. */
  record Sealed(TaskAttempt attempt, Optional<Sentinel.By> by) implements AttemptEvent {}

  /** An upload or a seal failed. {@code retry} says whether time can mend it. */
  record PublishFailed(TaskAttempt attempt, boolean retry, String reason) implements AttemptEvent {}

  /** A mistake in Mayfly ended an upload or a seal: the same work would end the same way again. */
  record PublishCrashed(TaskAttempt attempt, String reason) implements AttemptEvent {}

  /** In answer to {@link AgentEffect.FlushLogs}: every log of tasks that ended is in the store. */
  record LogsFlushed() implements AgentEvent {}

  /** The cloud will take the machine. */
  record PreemptionNoticed(Instant at) implements AgentEvent {}

  /** Something is wrong with the machine, or, when empty, no more. */
  record DeviceProblem(Optional<String> text) implements AgentEvent {}

  /**
   * This machine cannot keep tasks within their CPU and memory.
   *
   * @param why begins with {@link dev.mayfly.core.model.sync.SyncReport#UNLIMITED}
   */
  record Unlimited(String why) implements AgentEvent {}

  /**
   * Somebody asked this process to end (SIGTERM): give everything back, then {@link
   * AgentEffect.Quit}.
   */
  record StopRequested() implements AgentEvent {}

  /**
   * Whoever asked does not wait any longer: what runs is killed without a moment to clean up, and
   * as soon as nothing is left {@link AgentEffect.Quit} follows, whatever is still to be told.
   */
  record StopNowRequested() implements AgentEvent {}
}
