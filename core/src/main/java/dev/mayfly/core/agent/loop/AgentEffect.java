package dev.mayfly.core.agent.loop;

import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.agent.output.ObjectEffectExecutor;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.gang.GangEnvironment;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.ObjectUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an {@link Agent} asks of its executor. Effects of one event start in their order. An effect
 * with an answer is answered by exactly one event, whatever happens; surplus answers do no harm.
 */
public sealed interface AgentEffect {
  /**
   * Makes the call. A newer sync replaces a pending one, whose answer is then ignored. The executor
   * never resends a report, because its state is old. Answer: {@link AgentEvent.OrdersReceived} or
   * {@link AgentEvent.SyncFailed}.
   *
   * @param limit the call has failed when it is not answered within this time
   */
  record Sync(SyncReport report, Duration limit) implements AgentEffect {}

  /** Sets the only alarm, replacing the one before. Answer: {@link AgentEvent.Woke}. */
  record WakeAt(long monotonicNanos) implements AgentEffect {}

  /**
   * Reads a task list object. Answer: {@link AgentEvent.TaskListFetched} or {@link
   * AgentEvent.TaskListFetchFailed}.
   *
   * @param chunk the number of the task list object: index divided by {@link
   *     dev.mayfly.core.model.document.Job#CHUNK}
   */
  record FetchTaskList(String job, long chunk, ObjectUrl list) implements AgentEffect {}

  /**
   * Finds tasks that are already done; see {@link ObjectEffectExecutor#survey}. A repeat can only
   * find more. Answer: {@link AgentEvent.Surveyed} or {@link AgentEvent.SurveyFailed}.
   */
  record Survey(LeaseRef lease, JobInfo jobInfo, List<TaskItem> items, Instant at)
      implements AgentEffect {}

  /**
   * For a task of a gang: creates the work directory, fetches image, code and input, and checks
   * that the devices are free; starts nothing. Never repeated for the same attempt. Answer, exactly
   * one of: {@link AgentEvent.Prepared}, {@link AgentEvent.PrepareFailed}, or after a {@link Kill}
   * {@link AgentEvent.Killed}.
   *
   * @param rank of this host in the task
   * @param port from which on a free one is looked for
   */
  record Prepare(
      TaskAttempt attempt,
      JobInfo jobInfo,
      TaskItem item,
      List<Integer> gpus,
      int rank,
      Optional<PortSearch> port)
      implements AgentEffect {
    /**
     * @param address of this host, where its peers reach it
     * @param first the port to try first
     */
    public record PortSearch(String address, int first) {
      /** What a gang's host looks for; the hosts of a slice have a port of their own. */
      public static Optional<PortSearch> of(JobInfo jobInfo, GangOrder order, String address) {
        return jobInfo.spec().gang() <= 1
            ? Optional.empty()
            : Optional.of(new PortSearch(address, GangEnvironment.firstPort(order)));
      }
    }

    public Prepare {
      gpus = List.copyOf(gpus);
    }
  }

  /**
   * Creates the work directory, fetches code and input and starts the command, or starts what was
   * prepared; {@link TaskCommand} fills argv and environment. Never repeated for the same attempt.
   * Answer, exactly one of: {@link AgentEvent.Exited}, {@link AgentEvent.StartFailed}, or after a
   * {@link Kill} {@link AgentEvent.Killed}.
   *
   * @param gpus the devices that it may use, by index
   * @param peers environment variables that describe the other tasks of its gang
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

    /** For a task outside a gang. */
    public Start(TaskAttempt attempt, JobInfo jobInfo, TaskItem item, List<Integer> gpus) {
      this(attempt, jobInfo, item, gpus, Map.of());
    }
  }

  /**
   * Ends every process of the attempt, including those that left its session: sends SIGTERM, and
   * SIGKILL after {@code grace}; also stops a download. A repeat may shorten the grace and is
   * answered again; an unknown attempt is answered at once. Answer: {@link AgentEvent.Killed}, or
   * the attempt's own end if that came first. What an attempt that had a grace left in its
   * checkpoint folder is stored first, for what is left of the grace.
   *
   * @param storing for how long after the grace the last checkpoint may still be stored
   * @param logText for the attempt's log, in words; empty if nothing is to be written there
   */
  record Kill(
      TaskAttempt attempt, Duration grace, Duration storing, StopReason stopReason, String logText)
      implements AgentEffect {}

  /**
   * Uploads the task's output; see {@link ObjectEffectExecutor#upload}. A repeat finds the result
   * of the first call. Answer: {@link AgentEvent.Uploaded}, {@link AgentEvent.OutputExists} or
   * {@link AgentEvent.PublishFailed}.
   *
   * @param rivalsAfter an output of another job that is younger than this may be about to get its
   *     sentinel, and is not replaced yet; empty once that was waited for
   * @param before what lay at the output when the attempt began, if the task writes it itself
   */
  record Upload(
      TaskAttempt attempt,
      JobInfo jobInfo,
      TaskItem item,
      MadeFrom made,
      Optional<Instant> rivalsAfter,
      Optional<Long> before)
      implements AgentEffect {}

  /**
   * Creates the sentinel; see {@link ObjectEffectExecutor#seal}. A repeat finds the result of the
   * first call. Answer: {@link AgentEvent.Sealed}, {@link AgentEvent.OutputReplaced} or {@link
   * AgentEvent.PublishFailed}.
   *
   * @param at where the sentinel goes
   * @param late whether the output was stored a while ago, and another may be in its place by now
   */
  record Seal(TaskAttempt attempt, ObjectUrl at, Sentinel sentinel, boolean late)
      implements AgentEffect {}

  /**
   * Creates the sentinels of several tasks in one object; see {@link
   * ObjectEffectExecutor#sealTogether}. A repeat finds the result of the first call. Answer: {@link
   * AgentEvent.SealedTogether}.
   *
   * @param seals of tasks of one job, each {@link Seal#at} the job's folder of sentinels
   */
  record SealTogether(String job, String bucket, List<Seal> seals) implements AgentEffect {
    public SealTogether {
      seals = List.copyOf(seals);
    }
  }

  /**
   * Deletes what a command wrote at its task's output ({@code outputs: written}), because it is no
   * result; see {@link ObjectEffectExecutor#discard}. A repeat finds nothing. Answer: {@link
   * AgentEvent.Discarded} or {@link AgentEvent.PublishFailed}.
   *
   * @param before what lay there when the attempt began
   */
  record Discard(TaskAttempt attempt, JobInfo jobInfo, TaskItem item, Optional<Long> before)
      implements AgentEffect {}

  /** Uploads every log now. Answer: {@link AgentEvent.LogsFlushed}, also after retries. */
  record FlushLogs() implements AgentEffect {}

  /** Deletes the work directory of a finished attempt. Its log is kept until it is in the store. */
  record DeleteWorkDir(TaskAttempt attempt) implements AgentEffect {}

  /** Users follow these jobs' logs: upload them often. Replaces the previous list. */
  record FollowLogs(List<String> jobs) implements AgentEffect {
    public FollowLogs {
      jobs = List.copyOf(jobs);
    }
  }

  /** Powers the machine off, or ends the agent on a machine that is not Mayfly's. No answer. */
  record PowerOff(String reason) implements AgentEffect {}

  /** Ends the agent's process; the machine stays. No answer. */
  record Quit(String reason) implements AgentEffect {}
}
