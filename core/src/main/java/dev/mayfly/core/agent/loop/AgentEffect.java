package dev.mayfly.core.agent.loop;

import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.agent.output.ObjectEffectExecutor;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.ObjectUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What an {@link Agent} asks of its executor. Effects of one event are to be begun in their order;
 * each that has an answer is answered by an event, once, whatever happens (an answer too many does
 * no harm).
 */
public sealed interface AgentEffect {
  /**
   * Makes the call. A newer one takes the place of one that still waits: its answer is not wanted
   * any more. The executor never sends a report again by itself: the state in it is old. Answer:
   * {@link AgentEvent.OrdersReceived} or {@link AgentEvent.SyncFailed}.
   *
   * @param limit after this without an answer the call has failed
   */
  record Sync(SyncReport report, Duration limit) implements AgentEffect {}

  /** Sets the one alarm; it takes the place of the one before. Answer: {@link AgentEvent.Woke}. */
  record WakeAt(long monotonicNanos) implements AgentEffect {}

  /**
   * Reads a task list object. Answer: {@link AgentEvent.TaskListFetched} or {@link
   * AgentEvent.FetchFailed}.
   *
   * @param chunk the number of the task list object: index divided by {@link
   *     dev.mayfly.core.model.document.Job#CHUNK}
   */
  record FetchTaskList(String job, long chunk, ObjectUrl list) implements AgentEffect {}

  /**
   * Looks for what is done already: {@link ObjectEffectExecutor#survey} has the whole of it. A
   * repeat finds more at most. Answer: {@link AgentEvent.Surveyed} or {@link
   * AgentEvent.SurveyFailed}.
   */
  record Survey(LeaseRef lease, JobInfo jobInfo, List<TaskItem> items, Instant at)
      implements AgentEffect {}

  /**
   * For a task of a gang: makes the work directory, fetches image, code and input, and sees that
   * the devices are free; nothing is started. Never repeated for the same attempt. Answer: {@link
   * AgentEvent.Prepared}, {@link AgentEvent.PrepareFailed}, or after a {@link Kill} {@link
   * AgentEvent.Killed}; one of them.
   */
  record Prepare(TaskAttempt attempt, JobInfo jobInfo, TaskItem item, List<Integer> gpus)
      implements AgentEffect {
    public Prepare {
      gpus = List.copyOf(gpus);
    }
  }

  /**
   * Makes the work directory, fetches code and input, starts the command, or starts what was
   * prepared for it; {@link TaskCommand} fills argv and environment. Never repeated for the same
   * attempt. Answer: {@link AgentEvent.Exited}, {@link AgentEvent.StartFailed}, or after a {@link
   * Kill} {@link AgentEvent.Killed}; one of them.
   *
   * @param gpus the devices that it may use, by index
   * @param peers what a task of a gang learns of the others, as environment variables
   */
  record Start(
      TaskAttempt attempt,
      JobInfo jobInfo,
      TaskItem item,
      List<Integer> gpus,
      Map<String, String> peers)
      implements AgentEffect {
    public Start {
      gpus = List.copyOf(gpus);
      peers = Map.copyOf(peers);
    }

    /** Of a task that runs for itself. */
    public Start(TaskAttempt attempt, JobInfo jobInfo, TaskItem item, List<Integer> gpus) {
      this(attempt, jobInfo, item, gpus, Map.of());
    }
  }

  /**
   * Ends every process of the attempt, also those that left its session: asks (SIGTERM), and after
   * {@code grace} kills; stops a download too. A repeat may shorten the grace and is answered
   * again; an attempt that is not there is answered at once. Answer: {@link AgentEvent.Killed}, or
   * the attempt's own end if that came first.
   */
  record Kill(TaskAttempt attempt, Duration grace) implements AgentEffect {}

  /**
   * Brings what the task left into the store: {@link ObjectEffectExecutor#upload} has the whole of
   * it. A repeat finds what the first one did. Answer: {@link AgentEvent.Uploaded}, {@link
   * AgentEvent.OutputExists} or {@link AgentEvent.PublishFailed}.
   */
  record Upload(TaskAttempt attempt, JobInfo jobInfo, TaskItem item) implements AgentEffect {}

  /**
   * Creates the sentinel: {@link ObjectEffectExecutor#seal} has the whole of it. A repeat finds
   * what the first one did. Answer: {@link AgentEvent.Sealed} or {@link AgentEvent.PublishFailed}.
   *
   * @param at where the sentinel is to be
   */
  record Seal(TaskAttempt attempt, ObjectUrl at, Sentinel sentinel) implements AgentEffect {}

  /**
   * Brings every log into the store now. Answer: {@link AgentEvent.LogsFlushed}, also when it had
   * to try again.
   */
  record FlushLogs() implements AgentEffect {}

  /** The attempt is over: its work directory may go. Its log may not, until it is in the store. */
  record DeleteWorkDir(TaskAttempt attempt) implements AgentEffect {}

  /** Somebody reads these jobs' logs now: send them often. Takes the place of the one before. */
  record FollowLogs(List<String> jobs) implements AgentEffect {
    public FollowLogs {
      jobs = List.copyOf(jobs);
    }
  }

  /** Switches the machine off; one that is not ours to switch off: ends the agent. No answer. */
  record PowerOff(String reason) implements AgentEffect {}

  /** Ends the agent's process; the machine stays. No answer. */
  record Quit(String reason) implements AgentEffect {}
}
