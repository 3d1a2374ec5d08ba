package dev.mayfly.core.lifecycle;

/**
 * An effect for one worker, performed after the state that requires it is committed. Every effect
 * may be repeated: each pass repeats what the stored state still owes.
 */
public sealed interface WorkerEffect {
  /** Order the machine. A repeat adopts the existing machine. */
  record OrderMachine() implements WorkerEffect {}

  /** Ask the cloud to delete the machine, until its 404 proves that the machine is gone. */
  record DeleteMachine() implements WorkerEffect {}

  /** Make the worker's leases ready for others. A repeat finds none. */
  record ReturnLeases(LeaseScope which) implements WorkerEffect {}

  /** Request a pass of the cluster: capacity or demand changed. */
  record RequestReconcile() implements WorkerEffect {}

  enum LeaseScope {
    /** Leases of work that may briefly run twice, because its sentinel decides. */
    ORDINARY,
    /** Leases of exclusive work too: the machine is proved gone. */
    ALL
  }
}
