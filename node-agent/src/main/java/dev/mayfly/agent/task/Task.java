package dev.mayfly.agent.task;

import dev.mayfly.agent.os.AttemptDir;
import dev.mayfly.agent.os.Confidential;
import dev.mayfly.agent.os.Limits;
import dev.mayfly.agent.os.Running;
import dev.mayfly.agent.os.WholeKill;
import dev.mayfly.core.agent.Attempt;
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
final class Task {
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

  private final Attempt attempt;
  private Phase phase = Phase.PREPARING;
  private Optional<Thread> preparer = Optional.empty();
  private Optional<AttemptDir> dir = Optional.empty();
  private Confidential confidential = Confidential.NOTHING;
  private Optional<Path> output = Optional.empty();
  private Optional<Materials.Paths> paths = Optional.empty();
  private Optional<Running> first = Optional.empty();
  private Optional<Limits.Bounds> bounds = Optional.empty();
  private boolean contained;
  private Duration grace = Duration.ZERO;

  Task(Attempt attempt) {
    this.attempt = attempt;
  }

  String id() {
    return attempt.toString();
  }

  Attempt attempt() {
    return attempt;
  }

  /** As the kill of processes sees it. */
  synchronized WholeKill.Attempt processes() {
    return new WholeKill.Attempt(id(), first, contained);
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

  synchronized Optional<Limits.Bounds> bounds() {
    return bounds;
  }

  /** This thread prepares it; false if it need not. */
  synchronized boolean preparing() {
    preparer = Optional.of(Thread.currentThread());
    return phase == Phase.PREPARING;
  }

  /** All that a start needs is there; false if the preparer has to say that it is killed. */
  synchronized boolean prepared(Materials.Paths where) {
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
  synchronized Optional<Materials.Paths> paths() {
    return paths;
  }

  synchronized void has(AttemptDir folder) {
    dir = Optional.of(folder);
  }

  synchronized void knows(Confidential secrets) {
    confidential = secrets;
  }

  synchronized Confidential confidential() {
    return confidential;
  }

  synchronized void leaves(Path file) {
    output = Optional.of(file);
  }

  /**
   * @param container whether its first process is to be the client of a container engine
   */
  synchronized void in(Limits.Bounds limits, boolean container) {
    bounds = Optional.of(limits);
    contained = container;
  }

  /** Its first process runs; false if the preparer has to kill it at once. */
  synchronized boolean started(Running running) {
    first = Optional.of(running);
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
