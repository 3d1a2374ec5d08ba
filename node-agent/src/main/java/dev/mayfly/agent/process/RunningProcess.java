package dev.mayfly.agent.process;

import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A process that was started; valid after it ended, too. */
public interface RunningProcess {

  /** The process id, which is also the id of its session and process group. */
  long pid();

  /**
   * Completes when the process has ended. Unless it was signalled, the rest of its process group
   * has been killed by then; processes that left the group have not: see {@link ProcessTreeKiller}.
   * Dependents run on the thread that waits for all processes, so they must hand work over ({@code
   * thenAcceptAsync}).
   */
  CompletableFuture<ProcessExit> exit();

  /** Signals the whole process group; does nothing once the process has ended. */
  void signal(Sig signal);

  /** The marker of its processes, if it is not the attempt's own. */
  default Optional<String> marker() {
    return Optional.empty();
  }

  /** Whether its processes stay for another attempt after {@link #exit} has completed. */
  default boolean goesOn() {
    return false;
  }

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
