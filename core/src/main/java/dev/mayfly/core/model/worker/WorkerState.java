package dev.mayfly.core.model.worker;

import dev.mayfly.core.model.FailureCause;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a worker. {@code dev.mayfly.core.lifecycle.WorkerLifecycle} has the only table of
 * transitions.
 */
public sealed interface WorkerState {
  /** Whether it is ready and holds no lease. */
  default boolean isIdle() {
    return this instanceof Ready ready && ready.idleSince().isPresent();
  }

  /** Whether it has had no lease yet. */
  default boolean isNew() {
    return switch (this) {
      case Launching _, Booting _ -> true;
      case Ready ready -> ready.idleSince().filter(ready.since()::equals).isPresent();
      case Draining _, Drained _, Lost _, Gone _ -> false;
    };
  }

  /** The intent is stored; the machine may or may not have been ordered yet. */
  record Launching(Instant since, Instant deadline) implements WorkerState {}

  /**
   * The cloud accepted the order.
   *
   * @param since when the order was accepted, or the machine granted after a time in the queue
   * @param deadline of its agent's first sync, once the cloud makes the machine
   * @param queue the place in the cloud's queue, while it has one
   * @param hostsUntil until when the missing hosts of a slice are awaited, once their time has
   *     passed
   */
  record Booting(
      Instant since,
      Instant deadline,
      String operation,
      Optional<CloudQueue> queue,
      Optional<Instant> hostsUntil)
      implements WorkerState {
    /** Of a machine that the cloud makes. */
    public Booting(Instant since, Instant deadline, String operation) {
      this(since, deadline, operation, Optional.empty(), Optional.empty());
    }
  }

  /**
   * A request that the cloud keeps until it has room.
   *
   * @param state the cloud's own word
   */
  record CloudQueue(Instant since, String state) {}

  /**
   * Its agent has synced.
   *
   * @param idleSince since when it holds no lease
   */
  record Ready(Instant since, Optional<Instant> idleSince) implements WorkerState {}

  /**
   * Gets no more work and gives back unstarted tasks; those that run end by the deadline.
   *
   * @param cause who set the deadline; absent in documents from before there were causes
   */
  record Draining(Instant since, String reason, Instant deadline, Optional<DrainCause> cause)
      implements WorkerState {
    public Draining(Instant since, DrainReason reason, Instant deadline) {
      this(since, reason.text(), deadline, Optional.of(reason.cause()));
    }

    /** Whether the cloud takes the machine back. */
    boolean isTaken() {
      return cause.equals(Optional.of(DrainCause.PREEMPTED));
    }

    /** Why it ends. */
    public DrainReason why() {
      return new DrainReason(cause.orElse(DrainCause.USER), reason);
    }
  }

  /** The agent confirmed that nothing runs and all logs are stored: the machine may go. */
  record Drained(Instant since, String reason) implements WorkerState {}

  /** Given up: its leases were revoked, its epoch was raised and its machine is being deleted. */
  record Lost(Instant since, FailureCause cause, String reason) implements WorkerState {}

  /**
   * Proved gone by the cloud's own 404.
   *
   * @param ending absent in documents from before it was stored
   */
  record Gone(Instant since, String reason, Optional<Ending> ending) implements WorkerState {
    public Gone(Instant since, String reason) {
      this(since, reason, Optional.empty());
    }

    /** Whether the cloud refused its order, so that there was no machine. */
    public boolean isRefused() {
      return ending.equals(Optional.of(Ending.REFUSED));
    }
  }

  Instant since();

  /** Whether the worker counts as capacity, now or soon. */
  default boolean live() {
    return this instanceof Launching || this instanceof Booting || this instanceof Ready;
  }
}
