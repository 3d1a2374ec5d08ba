package dev.mayfly.agent.task;

import dev.mayfly.agent.checkpoint.CheckpointSync;
import dev.mayfly.agent.credentials.SecretRedactor;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.gang.GangPort;
import dev.mayfly.agent.metrics.AttemptMetrics;
import dev.mayfly.agent.metrics.AttemptUse;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.ResourceLimits.Bounds;
import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.TaskAttempt;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The state of one attempt on this machine. All methods are atomic.
 *
 * <p>PREPARING (→ PREPARED → PREPARING, in a gang) → RUNNING → ENDING → ENDED, or from each of
 * these but the last two KILLING → ENDED. An exit and a kill may race: the caller that moves the
 * attempt to ENDING or KILLING finishes it and reports its end to the loop.
 */
final class AttemptState {
  private enum Phase {
    PREPARING,
    PREPARED,
    RUNNING,
    ENDING,
    KILLING,
    ENDED
  }

  /** A search for a container's first process is made at each so many looks. */
  private static final int SEARCH = 10;

  /** What the caller of a kill must do. */
  enum KillStep {
    /** Kill the attempt's processes. */
    KILL,
    /** Nothing works on the prepared attempt: report its end. */
    DROP,
    /** Nothing: the thread that prepares or ends the attempt finishes it. */
    LEAVE,
    /** Nothing: no process is left. */
    GONE
  }

  private final TaskAttempt taskAttempt;
  private Phase phase = Phase.PREPARING;
  private Optional<Thread> preparer = Optional.empty();
  private Optional<AttemptDir> dir = Optional.empty();
  private Optional<CheckpointSync> checkpoint = Optional.empty();
  private Optional<AttemptMetrics> attemptMetrics = Optional.empty();
  private Optional<SubmitterTokenFile> submitterTokenFile = Optional.empty();
  private SecretRedactor secretRedactor = SecretRedactor.NOTHING;
  private Optional<AttemptOutput> output = Optional.empty();
  private Optional<InputStaging.Paths> paths = Optional.empty();
  private Optional<RunningProcess> first = Optional.empty();
  private Optional<RunningProcess> preparing = Optional.empty();
  private Optional<ResourceLimits.Bounds> bounds = Optional.empty();
  private Optional<GangPort> port = Optional.empty();
  private boolean contained;
  private Optional<AttemptUse> use = Optional.empty();
  private Optional<Long> measured = Optional.empty();
  private int looks;

  /** Held by the thread that stores what the attempt left and reports its end. */
  final ReentrantLock ending = new ReentrantLock();

  private Optional<AgentEffect.Kill> killOrder = Optional.empty();
  private Optional<Long> storedBy = Optional.empty();

  AttemptState(TaskAttempt taskAttempt) {
    this.taskAttempt = taskAttempt;
  }

  String id() {
    return taskAttempt.toString();
  }

  TaskAttempt attempt() {
    return taskAttempt;
  }

  /** The attempt's processes, for a kill. */
  synchronized ProcessTreeKiller.AttemptProcesses processes() {
    var marker = first.flatMap(RunningProcess::marker).orElse(id());
    return new ProcessTreeKiller.AttemptProcesses(marker, first.or(() -> preparing), contained);
  }

  /**
   * A process that prepares the attempt runs, or is gone. The preparer ends it, also when the
   * attempt is being killed.
   */
  synchronized void setPreparing(Optional<RunningProcess> process, boolean container) {
    preparing = process;
    contained = container;
  }

  /** Whether the attempt may have processes: one that waits for its turn has none. */
  synchronized boolean live() {
    return phase != Phase.ENDED && phase != Phase.PREPARED;
  }

  synchronized Optional<AttemptDir> dir() {
    return dir;
  }

  /** Where the attempt leaves its output. */
  synchronized Optional<AttemptOutput> output() {
    return output;
  }

  synchronized Optional<ResourceLimits.Bounds> bounds() {
    return bounds;
  }

  /** Registers this thread as the preparer; false if the attempt is being killed. */
  synchronized boolean preparing() {
    preparer = Optional.of(Thread.currentThread());
    return phase == Phase.PREPARING;
  }

  /** Preparation is complete; false if the preparer must report that the attempt was killed. */
  synchronized boolean prepared(InputStaging.Paths where) {
    preparer = Optional.empty();
    if (phase != Phase.PREPARING) return false;
    phase = Phase.PREPARED;
    paths = Optional.of(where);
    return true;
  }

  /** Starts a prepared attempt; false if it is not prepared, or no longer. */
  synchronized boolean begin() {
    if (phase != Phase.PREPARED) return false;
    phase = Phase.PREPARING;
    return true;
  }

  /** Keeps the port until the attempt starts or ends; at once free if it has ended. */
  synchronized void keep(GangPort kept) {
    if (phase == Phase.PREPARED) port = Optional.of(kept);
    else kept.close();
  }

  synchronized void releasePort() {
    port.ifPresent(GangPort::close);
    port = Optional.empty();
  }

  /** The path of the input, if the attempt was prepared earlier. */
  synchronized Optional<InputStaging.Paths> paths() {
    return paths;
  }

  synchronized void setDir(AttemptDir folder) {
    dir = Optional.of(folder);
    attemptMetrics = Optional.of(new AttemptMetrics(folder));
  }

  synchronized void setCheckpoint(CheckpointSync sync) {
    checkpoint = Optional.of(sync);
  }

  synchronized void dropCheckpoint() {
    checkpoint = Optional.empty();
  }

  /** Stores the attempt's checkpoints, if the job names a place for them. */
  synchronized Optional<CheckpointSync> checkpoint() {
    return checkpoint;
  }

  /** The attempt's metrics, once it has a folder. */
  synchronized Optional<AttemptMetrics> metrics() {
    return attemptMetrics;
  }

  /** What its processes use, once they run. */
  synchronized Optional<AttemptUse> use() {
    return use;
  }

  /** The process whose tree is the attempt's, once that is known. */
  synchronized Optional<Long> measuredProcess() {
    return measured;
  }

  /** Whether to ask the engine for the container's first process: seldom, until it is known. */
  synchronized boolean takeSearch() {
    return measured.isEmpty() && looks++ % SEARCH == 1;
  }

  synchronized void setMeasured(long pid) {
    measured = Optional.of(pid);
  }

  synchronized void setSubmitter(SubmitterTokenFile file) {
    submitterTokenFile = Optional.of(file);
  }

  /** The attempt's tokens, if it may submit jobs. */
  synchronized Optional<SubmitterTokenFile> submitter() {
    return submitterTokenFile;
  }

  /** Whether its command runs. */
  synchronized boolean isRunning() {
    return phase == Phase.RUNNING || (phase == Phase.KILLING && first.isPresent());
  }

  synchronized void setSecrets(SecretRedactor secrets) {
    secretRedactor = secrets;
  }

  synchronized SecretRedactor confidential() {
    return secretRedactor;
  }

  synchronized void setOutput(AttemptOutput where) {
    output = Optional.of(where);
  }

  /**
   * @param container whether the first process will be a container engine's client
   */
  synchronized void setBounds(ResourceLimits.Bounds limits, boolean container) {
    bounds = Optional.of(limits);
    preparing = Optional.empty();
    contained = container;
  }

  /** The first process runs; false if the preparer must kill it at once. */
  synchronized boolean started(RunningProcess runningProcess) {
    first = Optional.of(runningProcess);
    use = Optional.of(AttemptUse.of(bounds.flatMap(Bounds::group), runningProcess));
    if (!contained) measured = Optional.of(runningProcess.pid());
    preparer = Optional.empty();
    if (phase == Phase.PREPARING) phase = Phase.RUNNING;
    return phase == Phase.RUNNING;
  }

  /** No process was started; false if the preparer must report that the attempt was killed. */
  synchronized boolean failed() {
    preparer = Optional.empty();
    var byItself = phase == Phase.PREPARING;
    phase = Phase.ENDED;
    releasePort();
    return byItself;
  }

  /** The first process ended; false if a kill finishes the attempt. */
  synchronized boolean exited() {
    if (phase == Phase.RUNNING) phase = Phase.ENDING;
    return phase == Phase.ENDING;
  }

  /** What to do with a process that was started while its attempt was being killed. */
  synchronized AgentEffect.Kill killOrder() {
    return killOrder.orElseThrow();
  }

  /**
   * How long what the attempt left may still be stored; empty if it never had a grace, because
   * another attempt may run by now.
   */
  synchronized Optional<Duration> storing() {
    return storedBy.map(until -> Duration.ofNanos(until - System.nanoTime()));
  }

  synchronized KillStep kill(AgentEffect.Kill kill) {
    // A later kill without a grace only says that the one before is over.
    if (!kill.grace().isZero() && storedBy.isEmpty())
      storedBy = Optional.of(System.nanoTime() + kill.grace().plus(kill.storing()).toNanos());
    switch (phase) {
      case PREPARING -> {
        phase = Phase.KILLING;
        killOrder = Optional.of(kill);
        preparer.ifPresent(Thread::interrupt);
        return KillStep.LEAVE;
      }
      case PREPARED -> {
        phase = Phase.KILLING;
        return KillStep.DROP;
      }
      case RUNNING -> {
        phase = Phase.KILLING;
        return KillStep.KILL;
      }
      case KILLING -> {
        return first.isPresent() ? KillStep.KILL : KillStep.LEAVE;
      }
      case ENDING -> {
        return KillStep.LEAVE;
      }
      case ENDED -> {
        return KillStep.GONE;
      }
    }
    throw new AssertionError(phase);
  }

  /** No process is left. */
  synchronized void ended() {
    phase = Phase.ENDED;
    releasePort();
  }
}
