package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.FailureCause;
import java.time.Instant;

/** What can happen to a worker. Any of them may come late, twice or never. */
public sealed interface WorkerEvent {
  Instant at();

  /** The cloud took the order. */
  record Ordered(Instant at, String operation) implements WorkerEvent {}

  /** The cloud will not make the machine, and a look showed that none is there. */
  record Refused(Instant at, String reason) implements WorkerEvent {}

  /** A machine of one's own joins, or joins again: its agent is to speak until then. */
  record Joined(Instant at, Instant deadline) implements WorkerEvent {}

  /** Its agent synced with a valid identity. */
  record AgentSynced(Instant at) implements WorkerEvent {}

  /** The cloud said that it will take the machine. */
  record PreemptionNoticed(Instant at, Instant deadline) implements WorkerEvent {}

  /** It is to end: what it has not begun comes back, what runs may finish until the deadline. */
  record DrainRequested(Instant at, String reason, Instant deadline) implements WorkerEvent {}

  /**
   * Its agent says, in answer to an order to drain, that nothing runs and that the logs are out.
   */
  record DrainConfirmed(Instant at) implements WorkerEvent {}

  /**
   * The agent of a machine of one's own was told to end there, and says that nothing runs any more
   * and that the logs are out.
   */
  record AgentLeft(Instant at) implements WorkerEvent {}

  /** Time went by; only a deadline that the state has and that has passed makes a difference. */
  record DeadlinePassed(Instant at) implements WorkerEvent {}

  /** The cloud is still making the machine: the deadline of its boot begins then. */
  record StillStarting(Instant at, Instant deadline) implements WorkerEvent {}

  /** The cloud lists its machine or found it by name, and it is not stopped. */
  record MachineSeen(Instant at) implements WorkerEvent {}

  /**
   * The cloud says that its machine is stopped. It never starts again: its name and quota are to be
   * freed.
   *
   * @param cause preempted if the cloud took it, else lost
   */
  record MachineStopped(Instant at, FailureCause cause, String reason) implements WorkerEvent {}

  /**
   * The cloud answered 404 for its machine.
   *
   * @param settled whether the machine had been seen or the order had ended; before that it may yet
   *     come
   */
  record MachineMissing(Instant at, boolean settled) implements WorkerEvent {}

  /** Served silence, a bad host or a person's word: somebody decided that it is lost. */
  record DeclaredLost(Instant at, FailureCause cause, String reason) implements WorkerEvent {}
}
