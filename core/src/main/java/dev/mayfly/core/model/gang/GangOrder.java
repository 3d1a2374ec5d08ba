package dev.mayfly.core.model.gang;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskItem;
import java.util.List;
import java.util.Optional;

/**
 * The order to one host of a run. Level-triggered: it is repeated with every sync, and may arrive
 * late.
 *
 * @param hosts the address of each host by rank; the first is the coordinator
 * @param publicKeys the key of each host by rank, as {@link GangReport#publicKey} has it; empty
 *     unless every host has reported one
 * @param port of rank 0, where the others find it; empty unless every host has reported one, so
 *     that all use it or none: an older agent computes another ({@link GangEnvironment})
 * @param item its task, of an open job
 */
public record GangOrder(
    LeaseRef lease,
    long run,
    Step step,
    int rank,
    List<String> hosts,
    List<String> publicKeys,
    Optional<Integer> port,
    Optional<TaskItem> item) {
  public GangOrder {
    hosts = List.copyOf(hosts);
    publicKeys = List.copyOf(publicKeys);
    if (rank < 0 || rank >= hosts.size())
      throw new IllegalArgumentException("rank " + rank + " of " + hosts.size() + " hosts");
  }

  /** For a task that is listed or counted, on hosts without keys and ports. */
  public GangOrder(LeaseRef lease, long run, Step step, int rank, List<String> hosts) {
    this(lease, run, step, rank, hosts, List.of(), Optional.empty(), Optional.empty());
  }

  GangOrder withPort(Optional<Integer> free) {
    return new GangOrder(lease, run, step, rank, hosts, publicKeys, free, item);
  }

  public GangOrder of(Optional<TaskItem> task) {
    return new GangOrder(lease, run, step, rank, hosts, publicKeys, port, task);
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
