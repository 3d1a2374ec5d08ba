package dev.mayfly.core.lifecycle;

/**
 * Something to do for one worker, after the state that asks for it was committed. Every one of them
 * may be done again: a round repeats what the stored state still owes.
 */
public sealed interface WorkerEffect {
  /** Ask the cloud for the machine. A repeat adopts the machine that is there. */
  record OrderMachine() implements WorkerEffect {}

  /** Ask the cloud to delete the machine, again and again until its 404 proves that it is gone. */
  record DeleteMachine() implements WorkerEffect {}

  /** Make what the worker held ready for others. A repeat finds nothing held. */
  record ReturnLeases(LeaseScope which) implements WorkerEffect {}

  /** Ask for a round of the cluster: capacity or demand changed. */
  record RequestReconcile() implements WorkerEffect {}

  /** Which leases may go back. */
  enum LeaseScope {
    /** Of work that may run twice for a while, since its sentinel decides. */
    ORDINARY,
    /** Exclusive work too: the machine is proved gone. */
    ALL
  }
}
