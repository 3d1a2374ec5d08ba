package dev.mayfly.core.model.gang;

import dev.mayfly.core.model.LeaseRef;
import java.util.List;

/**
 * The order to one host of a run. Level-triggered: it is repeated with every sync, and may arrive
 * late.
 *
 * @param hosts the address of each host by rank; the first is the coordinator
 */
public record GangOrder(LeaseRef lease, long run, Step step, int rank, List<String> hosts) {
  public GangOrder {
    hosts = List.copyOf(hosts);
    if (rank < 0 || rank >= hosts.size())
      throw new IllegalArgumentException("rank " + rank + " of " + hosts.size() + " hosts");
  }

  /** In this sequence; only {@link #KILL} may be ordered at any time. */
  public enum Step {
    NOTHING,
    PREPARE,
    /** Start if prepared, and report the exit. */
    RUN,
    /** For rank 0 alone, when every host exited with 0. */
    PUBLISH,
    KILL
  }
}
