package dev.mayfly.core.model.worker;

import dev.mayfly.core.model.FailureCause;
import java.time.Instant;
import java.util.Optional;

/**
 * Where a worker is in its life. {@code dev.mayfly.core.lifecycle.WorkerLifecycle} has the one
 * table.
 */
public sealed interface WorkerState {
  /** The intent is stored; the machine may or may not have been asked for yet. */
  record Launching(Instant since, Instant deadline) implements WorkerState {}

  /** The cloud took the order. */
  record Booting(Instant since, Instant deadline, String operation) implements WorkerState {}

  /**
   * Its agent has spoken.
   *
   * @param idleSince since when it holds no lease
   */
  record Ready(Instant since, Optional<Instant> idleSince) implements WorkerState {}

  /** Gets no more work and gives back what it has not begun. */
  record Draining(Instant since, String reason, Instant deadline) implements WorkerState {}

  /** The agent confirmed that nothing runs and the logs are out: the machine may go. */
  record Drained(Instant since, String reason) implements WorkerState {}

  /** Given up: its leases went back, its epoch was raised and its machine is being deleted. */
  record Lost(Instant since, FailureCause cause, String reason) implements WorkerState {}

  /** Proved gone by the cloud's own 404. */
  record Gone(Instant since, String reason) implements WorkerState {}

  Instant since();

  /** Whether the worker counts as capacity, now or soon. */
  default boolean live() {
    return this instanceof Launching || this instanceof Booting || this instanceof Ready;
  }
}
