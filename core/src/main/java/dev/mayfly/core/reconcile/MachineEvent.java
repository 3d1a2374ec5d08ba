package dev.mayfly.core.reconcile;

import java.time.Instant;

/**
 * A log entry of the cloud about one machine. It may arrive late or twice, and be about any project
 * machine.
 *
 * @param id the cloud's own number of the machine: names may be reused, numbers are not
 * @param at when it happened
 */
public record MachineEvent(String zone, String name, String id, Kind kind, Instant at) {
  /** What happened to the machine; each kind ends it. */
  public enum Kind {
    PREEMPTED("the cloud took the spot machine back", true),
    HOST_ERROR("the machine's host failed", true),
    STOPPED("the machine was stopped", false),
    DELETED("the machine was deleted", false);

    private final String words;
    private final boolean isOfZone;

    Kind(String words, boolean isOfZone) {
      this.words = words;
      this.isOfZone = isOfZone;
    }

    /** Whether the cloud ended it, which it may do again to the next machine there. */
    boolean isOfZone() {
      return isOfZone;
    }

    String words() {
      return words;
    }
  }
}
