package dev.mayfly.core.agent.loop;

import dev.mayfly.core.model.FailureCause;
import java.util.Locale;
import java.util.Optional;

/** Why a task is asked to end before its command does, as the task reads it in a word. */
public enum StopReason {
  /** The job or the task was stopped. */
  STOPPED,
  /** A job of a higher priority gets its room; another attempt follows. */
  OUTRANKED,
  /** The cloud takes the machine. */
  PREEMPTED,
  /** The worker or its agent is to end. */
  DRAINED,
  /** The job's timeout has passed. */
  TIMEOUT,
  /** The agent reaches no control plane. */
  DISCONNECTED,
  /** Another host of the gang failed or ended. */
  GANG,
  /** The task belongs to another worker by now. */
  REVOKED;

  /**
   * @param cause of the failure that is reported; empty if none is
   * @param gang whether the task runs on several hosts
   */
  public static StopReason of(Optional<FailureCause> cause, boolean gang) {
    if (cause.isEmpty()) return gang ? GANG : REVOKED;
    return switch (cause.get()) {
      case PREEMPTED -> PREEMPTED;
      case OUTRANKED -> OUTRANKED;
      case TAKEN -> REVOKED;
      case TIMEOUT -> TIMEOUT;
      case RETURNED, DRAINED, END_OF_LIFE -> StopReason.DRAINED;
      case LOST -> DISCONNECTED;
      case STOPPED, USER, OUT_OF_MEMORY, OUTPUT_EXISTS, INFRASTRUCTURE -> STOPPED;
    };
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
