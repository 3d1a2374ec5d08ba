package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Scheduling;
import java.time.Instant;

/**
 * Why and when a machine is powered off.
 *
 * @param at when Compute sees the machine off
 */
record Termination(Cause cause, Instant at) {
  /** The causes, each with the operation that reports it. */
  enum Cause {
    /** Requested by a client, whose own operation reports it. */
    DELETED(""),
    /** Requested by a client or a fault control; the machine remains. */
    STOPPED(""),
    /** Compute takes its capacity back; until {@code at} the machine continues, with a notice. */
    PREEMPTED("compute.instances.preempted"),
    /** Its {@code maxRunDuration} has ended. */
    EXPIRED("compute.instances.automaticTermination"),
    /** Its host failed: it is dead at once, but visibly so only {@code at} that time. */
    HOST_ERROR("compute.instances.hostError"),
    /** It powered itself off. */
    GUEST_OFF("compute.instances.guestTerminate");

    private final String operation;

    Cause(String operation) {
      this.operation = operation;
    }

    /** The type of Compute's own operation; empty for none. */
    String operation() {
      return operation;
    }
  }

  /** Whether the machine is deleted instead of remaining as TERMINATED. */
  boolean deletes(Scheduling scheduling) {
    return switch (cause) {
      case DELETED -> true;
      case PREEMPTED, EXPIRED -> scheduling.getInstanceTerminationAction().equals("DELETE");
      case STOPPED, HOST_ERROR, GUEST_OFF -> false;
    };
  }

  /** Whether this termination overrides {@code other}: a delete is final, else the sooner wins. */
  boolean overrides(Termination other) {
    return other.cause() != Cause.DELETED && (cause == Cause.DELETED || at.isBefore(other.at()));
  }
}
