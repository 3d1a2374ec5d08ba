package dev.mayfly.sim.fake;

import dev.mayfly.core.reconcile.MachineEvent;

/** Observes power and deletion of machines. */
public interface FleetObserver {
  void on(SimMachine machine);

  /** The machine lost power: its processes are gone. */
  void off(SimMachine machine);

  /** The cloud gives the machine a preemption notice. */
  void notice(SimMachine machine);

  /** The deletion of a machine was requested. */
  void deleteAsked(SimMachine machine);

  /** The machine's life is over: it is deleted now. */
  default void expired(SimMachine machine) {}

  /** The cloud's audit log records how a machine ended. */
  default void logged(SimMachine machine, MachineEvent.Kind kind) {}
}
