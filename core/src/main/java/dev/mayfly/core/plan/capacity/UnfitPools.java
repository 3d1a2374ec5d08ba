package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.PoolVeto;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pools whose machines turned out unable to run tasks. Such a machine is replaced. After {@value
 * #MAX_UNFIT_WORKERS} of them the pool pauses, longer each time, and then tries one machine, so
 * that an image without a driver does not launch machines for ever. A fit machine ends the pause,
 * and so does a change of the machines' properties.
 */
public final class UnfitPools {
  static final int MAX_UNFIT_WORKERS = 3;

  static final ExponentialBackoff PAUSES =
      new ExponentialBackoff(Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofHours(24));

  private final ClusterSnapshot clusterSnapshot;
  private final ZoneAvailability zoneAvailability;

  public UnfitPools(ClusterSnapshot clusterSnapshot, ZoneAvailability zoneAvailability) {
    this.clusterSnapshot = clusterSnapshot;
    this.zoneAvailability = zoneAvailability;
  }

  /**
   * @param most machines that may be launched now
   * @param why there are no more
   */
  public record Limit(int most, PoolVeto.Unfit why) {
    /** Whether no machine may be launched now; otherwise more may be once one is fit. */
    public boolean paused() {
      return why.next().isPresent();
    }
  }

  /** Empty if the pool is not limited. */
  public Optional<Limit> limit(PoolSpec pool) {
    var memory = zoneAvailability.unfit(clusterSnapshot.cluster(), pool);
    var poolWorkers =
        clusterSnapshot.workers().stream().filter(w -> w.pool().equals(pool.name())).toList();
    var now =
        poolWorkers.stream().filter(w -> ClusterInventory.isUnfit(clusterSnapshot, w)).toList();
    if (memory.isEmpty() && now.isEmpty()) return Optional.empty();
    var seen = new ArrayList<Instant>();
    memory.ifPresent(m -> seen.addAll(since(pool, m.seen())));
    now.forEach(_ -> seen.add(clusterSnapshot.now()));
    var counted = PAUSES.counted(seen, clusterSnapshot.now());
    if (counted.isEmpty()) return Optional.empty();
    var fit = poolWorkers.stream().filter(UnfitPools::isFit).toList();
    if (!fit.isEmpty() && counted.size() < MAX_UNFIT_WORKERS) return Optional.empty();
    if (fit.stream().anyMatch(w -> spokeAfter(w, counted.getLast()))) return Optional.empty();
    var lacks = now.stream().flatMap(w -> w.unfit().stream()).findFirst();
    var cause = lacks.or(() -> memory.map(m -> m.code())).orElseThrow();
    return Optional.of(limit(pool, poolWorkers, counted, cause));
  }

  private Limit limit(PoolSpec pool, List<Worker> poolWorkers, List<Instant> seen, String lacks) {
    var until =
        seen.size() < MAX_UNFIT_WORKERS
            ? Optional.<Instant>empty()
            : PAUSES.until(seen, clusterSnapshot.now());
    var tried = poolWorkers.stream().filter(this::isUnproven).count();
    var may = Math.max(1, MAX_UNFIT_WORKERS - seen.size());
    var why = new PoolVeto.Unfit(pool.name(), seen.size(), lacks, may, until);
    return new Limit(until.isPresent() ? 0 : (int) Math.max(0, may - tried), why);
  }

  /** Machines of an older version of the pool prove nothing about the newest. */
  private List<Instant> since(PoolSpec pool, List<Instant> seen) {
    var version = Optional.ofNullable(clusterSnapshot.cluster().versions().get(pool.name()));
    var from = version.map(Cluster.Version::at).orElse(Instant.EPOCH);
    return seen.stream().filter(at -> at.isAfter(from)).toList();
  }

  private static boolean isFit(Worker worker) {
    return worker.state() instanceof WorkerState.Ready
        && worker.unfit().isEmpty()
        && !worker.has(MachineProblem.Kind.PREPARING);
  }

  private static boolean spokeAfter(Worker worker, Instant at) {
    return worker.firstSyncAt().filter(at::isBefore).isPresent();
  }

  /** Whether its fitness is not known yet. */
  private boolean isUnproven(Worker worker) {
    return worker.state().live()
        && !isFit(worker)
        && !ClusterInventory.isUnfit(clusterSnapshot, worker);
  }
}
