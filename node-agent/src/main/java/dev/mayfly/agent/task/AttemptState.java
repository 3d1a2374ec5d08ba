package dev.mayfly.agent.task;

import dev.mayfly.agent.credentials.SecretRedactor;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.core.agent.loop.TaskAttempt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What is known of one attempt here. All methods are atomic.
 *
 * <p>PREPARING (→ PREPARED → PREPARING, in a gang) → RUNNING → ENDING → ENDED, or from each of
 * these but the last two KILLING → ENDED. Its own end and a kill may race: whoever moves it to
 * ENDING or KILLING sees it through and tells the loop.
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

  /** What is left to do for someone who wants it killed. */
  enum KillStep {
    /** Kill its processes. */
    KILL,
    /** It was prepared, and nothing works on it: it has ended with this. */
    DROP,
    /** Nothing: the thread that prepares or ends it sees it through. */
    LEAVE,
    /** Nothing: no process of it is left. */
    GONE
  }

  private final TaskAttempt taskAttempt;
  private Phase phase = Phase.PREPARING;
  private Optional<Thread> preparer = Optional.empty();
  private Optional<AttemptDir> dir = Optional.empty();
  private SecretRedactor secretRedactor = SecretRedactor.NOTHING;
  private Optional<Path> output = Optional.empty();
  private Optional<InputStaging.Paths> paths = Optional.empty();
  private Optional<RunningProcess> first = Optional.empty();
  private Optional<ResourceLimits.Bounds> bounds = Optional.empty();
  private boolean contained;
  private Duration grace = Duration.ZERO;

  AttemptState(TaskAttempt taskAttempt) {
    this.taskAttempt = taskAttempt;
  }

  String id() {
    return taskAttempt.toString();
  }

  TaskAttempt attempt() {
    return taskAttempt;
  }

  /** As the kill of processes sees it. */
  synchronized ProcessTreeKiller.AttemptProcesses processes() {
    return new ProcessTreeKiller.AttemptProcesses(id(), first, contained);
  }

  /** Whether there may be processes of it. */
  synchronized boolean live() {
    return phase != Phase.ENDED;
  }

  synchronized Optional<AttemptDir> dir() {
    return dir;
  }

  /** Where it leaves its output. */
  synchronized Optional<Path> output() {
    return output;
  }

  synchronized Optional<ResourceLimits.Bounds> bounds() {
    return bounds;
  }

  /** This thread prepares it; false if it need not. */
  synchronized boolean preparing() {
    preparer = Optional.of(Thread.currentThread());
    return phase == Phase.PREPARING;
  }

  /** All that a start needs is there; false if the preparer has to say that it is killed. */
  synchronized boolean prepared(InputStaging.Paths where) {
    preparer = Optional.empty();
    if (phase != Phase.PREPARING) return false;
    phase = Phase.PREPARED;
    paths = Optional.of(where);
    return true;
  }

  /** Somebody starts what was prepared; false if it is not, or not any more. */
  synchronized boolean begin() {
    if (phase != Phase.PREPARED) return false;
    phase = Phase.PREPARING;
    return true;
  }

  /** Where its input lies, if that was brought before. */
  synchronized Optional<InputStaging.Paths> paths() {
    return paths;
  }

  synchronized void setDir(AttemptDir folder) {
    dir = Optional.of(folder);
  }

  synchronized void setSecrets(SecretRedactor secrets) {
    secretRedactor = secrets;
  }

  synchronized SecretRedactor confidential() {
    return secretRedactor;
  }

  synchronized void setOutput(Path file) {
    output = Optional.of(file);
  }

  /**
   * @param container whether its first process is to be the client of a container engine
   */
  synchronized void setBounds(ResourceLimits.Bounds limits, boolean container) {
    bounds = Optional.of(limits);
    contained = container;
  }

  /** Its first process runs; false if the preparer has to kill it at once. */
  synchronized boolean started(RunningProcess runningProcess) {
    first = Optional.of(runningProcess);
    preparer = Optional.empty();
    if (phase == Phase.PREPARING) {
      phase = Phase.RUNNING;
    }
    return phase == Phase.RUNNING;
  }

  /** It never had a process; false if the preparer has to say that it is killed. */
  synchronized boolean failed() {
    preparer = Optional.empty();
    var byItself = phase == Phase.PREPARING;
    phase = Phase.ENDED;
    return byItself;
  }

  /** Its first process ended; false if a kill is seeing to the rest. */
  synchronized boolean exited() {
    if (phase == Phase.RUNNING) {
      phase = Phase.ENDING;
    }
    return phase == Phase.ENDING;
  }

  /** How long a process has that was started just as its task was to be killed. */
  synchronized Duration grace() {
    return grace;
  }

  synchronized KillStep kill(Duration within) {
    switch (phase) {
      case PREPARING -> {
        phase = Phase.KILLING;
        grace = within;
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

  /** None of its processes is left. */
  synchronized void ended() {
    phase = Phase.ENDED;
  }
}
