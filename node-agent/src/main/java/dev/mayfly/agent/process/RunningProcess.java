package dev.mayfly.agent.process;

import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import java.util.concurrent.CompletableFuture;

/** A process that was started; also after it ended. */
public interface RunningProcess {

  /** Its process id, which is also the id of its session and of its process group. */
  long pid();

  /**
   * Completes when the process itself ended. Unless it was signalled, what it left in its process
   * group has been killed by then; what left the group has not: see {@link ProcessTreeKiller}.
   * Dependents run on the thread that waits for every process, so they must hand work over ({@code
   * thenAcceptAsync}).
   */
  CompletableFuture<ProcessExit> exit();

  /** Sends a signal to its whole process group. Once the process has ended this does nothing. */
  void signal(Sig signal);

  /** The two signals that the agent sends. */
  enum Sig {
    TERM(15),
    KILL(9);

    final int number;

    Sig(int number) {
      this.number = number;
    }
  }
}
