package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Orders of machines that wait for a pause to be over which ends by itself. */
public final class PausedOrders {
  private PausedOrders() {}

  /** Machines of a pool that are ordered again in a zone. */
  public record Later(PoolSpec pool, String zone, Instant at) {}

  /** The next pass is within a minute. */
  private static final int PASS = 60;

  /** When orders are made again that a pause holds up; nothing of what the cloud may refuse. */
  public static List<Later> of(List<Veto> vetoes, List<PoolSpec> usable, Instant now) {
    var later = new ArrayList<Later>();
    for (var pool : usable)
      for (var veto : vetoes)
        until(veto, pool.name(), now)
            .ifPresent(at ->
                later.add(
                    new Later(
                        pool,
                        veto instanceof ZoneVeto zone ? zone.zone() : pool.zones().getFirst(),
                        at)));
    return later;
  }

  private static Optional<Instant> until(Veto veto, String pool, Instant now) {
    return switch (veto) {
      case ClusterVeto.MonthUsedUp v -> Optional.of(v.next());
      case PoolVeto.OverMonth v when v.pool().equals(pool) -> Optional.of(v.next());
      case PoolVeto.CreationRate v when v.pool().equals(pool) -> Optional.of(now.plusSeconds(PASS));
      case PoolVeto.PlanFull v when v.pool().equals(pool) -> Optional.of(now.plusSeconds(PASS));
      case ZoneVeto.ShortLived v when v.pool().equals(pool) -> v.next();
      case ZoneVeto.NeverBooted v when v.pool().equals(pool) -> v.next();
      default -> Optional.empty();
    };
  }
}
