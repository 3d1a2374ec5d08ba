package dev.mayfly.sim.check;

import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.observation.TaskProcess;
import java.util.List;
import java.util.Optional;

/**
 * One invariant. It is told of everything that happens, and throws a {@link InvariantViolation}
 * when it is broken.
 */
interface Invariant {
  /** A batch was written, all of it. */
  default void committed(List<SimLedger.Change> batch) {}

  default void object(Optional<ObjectInfo> before, Optional<ObjectInfo> after) {}

  /** A task's process began to run, truly. */
  default void began(TaskProcess process) {}

  /** Everything that the start of a gang's task needs is on the host, truly. */
  default void prepared(TaskProcess process) {}

  /** The task's command ended by itself, with this exit code. */
  default void exited(TaskProcess process, int code) {}

  /** None of the task's processes is left, truly. */
  default void ended(TaskProcess process) {}

  /**
   * An agent asks for the kill of a process that runs.
   *
   * @param overdue whether it ran for longer than its user allows
   */
  default void killAsked(TaskProcess process, boolean overdue) {}

  default void deleteAsked(SimMachine machine) {}

  /** After every step. */
  default void step() {}

  /**
   * The ledger was set back to an earlier moment: what is remembered of it since is forgotten. What
   * was true of machines, processes and objects is true still.
   */
  default void restored() {}

  /** Long after the last fault. */
  default void atRest() {}
}
