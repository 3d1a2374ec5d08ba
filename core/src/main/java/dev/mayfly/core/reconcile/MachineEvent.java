package dev.mayfly.core.reconcile;

import java.time.Instant;

/**
 * What the cloud wrote down about one machine. It may come late, twice or never, and about machines
 * of anybody.
 *
 * @param id the cloud's own number of the machine: a name may be used again, this not
 * @param at when it happened
 */
public record MachineEvent(String zone, String name, String id, Kind kind, Instant at) {
  /** What became of the machine; each of them ends it. */
  public enum Kind {
    PREEMPTED("the cloud took the spot machine back"),
    HOST_ERROR("the machine's host failed"),
    STOPPED("the machine was stopped"),
    DELETED("the machine was deleted");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }
}
