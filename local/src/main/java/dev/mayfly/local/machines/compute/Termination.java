package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Scheduling;
import java.time.Instant;

/**
 * Why and when a machine loses its power.
 *
 * @param at when Compute is to see it off
 */
record Termination(Cause cause, Instant at) {
  /** The reasons that there are, and the operation that tells of each. */
  enum Cause {
    /** Asked for by a client; the operation is the client's own. */
    DELETED(""),
    /** Asked for by a client, or by the dial: the machine stays. */
    STOPPED(""),
    /** Compute wants its capacity back; until {@code at} the machine runs on, and knows. */
    PREEMPTED("compute.instances.preempted"),
    /** Its {@code maxRunDuration} is over. */
    EXPIRED("compute.instances.automaticTermination"),
    /** Its host failed: it is dead at once, but seen so only {@code at} that time. */
    HOST_ERROR("compute.instances.hostError"),
    /** It switched itself off. */
    GUEST_OFF("compute.instances.guestTerminate");

    private final String operation;

    Cause(String operation) {
      this.operation = operation;
    }

    /** The type of the operation that Compute itself lists; empty for none. */
    String operation() {
      return operation;
    }
  }

  /** Whether the machine vanishes, instead of staying as TERMINATED. */
  boolean deletes(Scheduling scheduling) {
    return switch (cause) {
      case DELETED -> true;
      case PREEMPTED, EXPIRED -> scheduling.getInstanceTerminationAction().equals("DELETE");
      case STOPPED, HOST_ERROR, GUEST_OFF -> false;
    };
  }

  /** Whether this one takes the place of {@code other}: a delete is final, else the sooner wins. */
  boolean overrides(Termination other) {
    return other.cause() != Cause.DELETED && (cause == Cause.DELETED || at.isBefore(other.at()));
  }
}
