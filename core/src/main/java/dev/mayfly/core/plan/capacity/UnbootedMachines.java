package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How machines are remembered that were given up because they never reported: those that the cloud
 * never started by zone and type, those that ran by zone and pool. Room that comes back ends none
 * of these memories: it is that of the machine itself.
 */
public final class UnbootedMachines {
  private static final String MARK = "unbooted.";

  /** The code of machines that the cloud ran and that never reported. */
  private static final String NOT_REPORTED = "NOT_REPORTED";

  /** The code of orders that the cloud accepted and of which it started no machine. */
  private static final String NOT_STARTED = "NOT_STARTED";

  private UnbootedMachines() {}

  /** Under which it is remembered. */
  public static String key(Cluster cluster, Worker worker, boolean started) {
    return MARK
        + (started
            ? ZoneAvailability.poolKey(cluster, worker.pool())
            : ZoneAvailability.kind(worker.provisioning(), worker.machineType()));
  }

  public static String code(boolean started) {
    return started ? NOT_REPORTED : NOT_STARTED;
  }

  static List<String> keys(Cluster cluster, PoolSpec pool) {
    return List.of(
        MARK + ZoneAvailability.kind(pool.provisioning(), pool.machineType()),
        MARK + ZoneAvailability.poolKey(cluster, pool.name()));
  }

  static boolean isKey(String key) {
    return key.startsWith(MARK);
  }

  static ZoneVeto veto(
      Stockout memory, PoolSpec pool, String zone, long times, Optional<Instant> next) {
    return new ZoneVeto.NeverBooted(
        pool.name(),
        zone,
        pool.machineType(),
        pool.provisioning(),
        memory.code().equals(NOT_REPORTED),
        times,
        memory.seen().getLast(),
        next);
  }

  /**
   * What is told of machines that ended soon after their start: both kinds together, each apart. At
   * least one of both is remembered.
   */
  static ZoneVeto.ShortLived shortLived(
      Optional<Stockout> taken,
      Optional<Stockout> lost,
      PoolSpec pool,
      String zone,
      Instant now,
      Optional<Instant> next) {
    return new ZoneVeto.ShortLived(
        pool.name(),
        zone,
        pool.machineType(),
        pool.provisioning(),
        recent(taken, now),
        recent(lost, now),
        Stream.of(taken, lost)
            .flatMap(Optional::stream)
            .map(it -> it.seen().getLast())
            .max(Comparator.naturalOrder())
            .orElseThrow(),
        next);
  }

  private static long recent(Optional<Stockout> memory, Instant now) {
    return memory.stream()
        .flatMap(it -> it.seen().stream())
        .filter(at -> at.plus(ZoneAvailability.MEMORY).isAfter(now))
        .count();
  }
}
