package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.worker.DrainReason;
import java.time.Instant;

/** Events of a worker. Any of them may be late, duplicated or missing. */
public sealed interface WorkerEvent {
  Instant at();

  /** The cloud accepted the order. */
  record Ordered(Instant at, String operation) implements WorkerEvent {}

  /** The cloud refused the machine, and a lookup confirmed that none exists. */
  record Refused(Instant at, String reason) implements WorkerEvent {}

  /** A static worker joins or rejoins; its agent must sync before the deadline. */
  record Joined(Instant at, Instant deadline) implements WorkerEvent {}

  record AgentSynced(Instant at) implements WorkerEvent {}

  /** The cloud will preempt the machine. */
  record PreemptionNoticed(Instant at, Instant deadline) implements WorkerEvent {}

  /** The worker must end: unstarted tasks go back, running ones may finish until the deadline. */
  record DrainRequested(Instant at, DrainReason reason, Instant deadline) implements WorkerEvent {}

  /** In answer to a drain order, its agent reports that nothing runs and all logs are stored. */
  record DrainConfirmed(Instant at) implements WorkerEvent {}

  /**
   * The agent of a static worker was stopped on its machine, and reports that nothing runs and all
   * logs are stored.
   */
  record AgentLeft(Instant at) implements WorkerEvent {}

  /** Time has passed; matters only if it has passed a deadline of the state. */
  record DeadlinePassed(Instant at) implements WorkerEvent {}

  /** The cloud is still creating the machine: extends the boot deadline. */
  record StillStarting(Instant at, Instant deadline) implements WorkerEvent {}

  /** The time of a slice's missing hosts has passed: they are awaited once more, until then. */
  record HostsAwaited(Instant at, Instant until) implements WorkerEvent {}

  /**
   * The cloud keeps the order until it has room.
   *
   * @param state the cloud's own word
   */
  record Queued(Instant at, String state) implements WorkerEvent {}

  /** The cloud no longer keeps the order: it makes the machine, which has until the deadline. */
  record Granted(Instant at, Instant deadline) implements WorkerEvent {}

  /** The cloud lists its machine or found it by name, and it is not stopped. */
  record MachineSeen(Instant at) implements WorkerEvent {}

  /**
   * The cloud reports that its machine is stopped. It never starts again: its name and quota must
   * be freed.
   *
   * @param cause preempted if the cloud took it, else lost
   * @param itself whether somebody stopped or deleted it, or it switched itself off: no fault of
   *     its zone
   */
  record MachineStopped(Instant at, FailureCause cause, String reason, boolean itself)
      implements WorkerEvent {}

  /**
   * The cloud answered 404 for its machine.
   *
   * @param settled whether the machine had been seen or the order had ended; before that it may
   *     still appear
   */
  record MachineMissing(Instant at, boolean settled) implements WorkerEvent {}

  /** The worker is given up: for served silence, for a bad host, or by a person. */
  record DeclaredLost(Instant at, FailureCause cause, String reason) implements WorkerEvent {}
}
