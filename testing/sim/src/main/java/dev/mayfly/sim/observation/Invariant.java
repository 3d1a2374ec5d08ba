package dev.mayfly.sim.observation;

import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimMachine;
import java.util.List;
import java.util.Optional;

/**
 * One invariant. It observes every event of a world, and throws an {@link InvariantViolation} when
 * it is broken.
 */
public interface Invariant {
  /** A batch was committed. */
  default void committed(List<SimLedger.Change> batch) {}

  default void object(Optional<ObjectInfo> before, Optional<ObjectInfo> after) {}

  /** A task's process started on the machine. */
  default void began(TaskProcess process) {}

  /** The host has everything that a gang's task needs to start. */
  default void prepared(TaskProcess process) {}

  /** The task's command exited by itself with this code. */
  default void exited(TaskProcess process, int code) {}

  /** The disk is full while the task runs. */
  default void spoiled(TaskProcess process) {}

  /** All of the task's processes have ended. */
  default void ended(TaskProcess process) {}

  /**
   * An agent requests the kill of a running process.
   *
   * @param overdue whether it ran longer than its timeout
   */
  default void killAsked(TaskProcess process, boolean overdue) {}

  /** The same, for each order of an agent about the process. */
  default void endOrdered(EndOrder order) {}

  /** A notification reached its subscribers. */
  default void told(Notification notification) {}

  default void deleteAsked(SimMachine machine) {}

  /** The life with which the machine was ordered is over: the cloud deletes it now. */
  default void expired(SimMachine machine) {}

  /** After every step. */
  default void step() {}

  /**
   * The ledger was restored to an earlier moment: memory of it since then is dropped. Facts about
   * machines, processes and objects stay true.
   */
  default void restored() {}

  /** Long after the last fault. */
  default void atRest() {}
}
