package dev.mayfly.core.query;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.query.JobExplanation.Reason;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains where the cloud recently refused a pool's machines, and with which code. */
final class LaunchFailureReasons {
  private static final Duration RECENT = Duration.ofMinutes(30);

  private final Map<String, Stockout> known = new HashMap<>();
  private final Instant now;

  LaunchFailureReasons(Ledger ledger, Instant now) {
    this.now = now;
    for (var stored : ledger.query(new LedgerQuery.Stockouts()).readableOnly())
      known.put(stored.value().zone() + " " + stored.value().machineType(), stored.value());
  }

  /**
   * Per allowed zone, at most one reason for what it lacks, one for preemptions, and one for orders
   * that failed for unknown reasons.
   */
  List<Reason> reasons(String cluster, PoolSpec pool, Placement placement) {
    var reasons = new ArrayList<Reason>();
    for (var zone : pool.zones()) {
      if (!placement.allowsZone(zone)) continue;
      stock(zone, pool)
          .or(() -> refused(cluster, zone, pool))
          .or(() -> quota(zone, pool))
          .ifPresent(reasons::add);
      preempted(zone, pool).ifPresent(reasons::add);
      unclear(zone, pool).ifPresent(reasons::add);
    }
    return reasons;
  }

  private Optional<Reason> stock(String zone, PoolSpec pool) {
    return recent(zone, kind(pool))
        .map(s ->
            new Reason(
                "stockout",
                "zone %s has no %s: %s".formatted(zone, pool.machineType(), codeAndAge(s))));
  }

  private Optional<Reason> refused(String cluster, String zone, PoolSpec pool) {
    return recent(zone, ZoneAvailability.poolKey(cluster, pool.name()))
        .map(s ->
            new Reason(
                "refused",
                "zone %s makes no machine of pool %s: %s; fix the pool or the permissions"
                    .formatted(zone, pool.name(), codeAndAge(s))));
  }

  private Optional<Reason> quota(String zone, PoolSpec pool) {
    var region = ZoneAvailability.region(zone);
    return TpuTypes.upTo(pool.machineType()).stream()
        .flatMap(type -> recent(region, ZoneAvailability.kind(pool.provisioning(), type)).stream())
        .findFirst()
        .map(s ->
            new Reason(
                "quota",
                "zone %s: region %s allows no more %s: %s; ask for more quota there"
                    .formatted(zone, region, pool.machineType(), codeAndAge(s))));
  }

  private Optional<Reason> preempted(String zone, PoolSpec pool) {
    return recent(zone, ZoneAvailability.shortLivedKey(kind(pool)))
        .map(s ->
            new Reason(
                "preempted",
                "zone %s took %s back within %s of their start, %s: %s; other zones go first, and the third time in twenty minutes pauses launches there"
                    .formatted(
                        zone,
                        pool.machineType(),
                        HumanDuration.format(ZoneAvailability.SHORT_LIFE),
                        count(s) == 1 ? "once" : count(s) + " times",
                        codeAndAge(s))));
  }

  private Optional<Reason> unclear(String zone, PoolSpec pool) {
    return recent(zone, ZoneAvailability.unclearKey(pool.machineType()))
        .map(s ->
            new Reason(
                "unclear",
                "zone %s ended %s of %s with %s, which Mayfly does not know; the third within a few minutes pauses launches there"
                    .formatted(zone, orders(s), pool.machineType(), codeAndAge(s))));
  }

  private static String kind(PoolSpec pool) {
    return ZoneAvailability.kind(pool.provisioning(), pool.machineType());
  }

  private Optional<Stockout> recent(String place, String what) {
    return Optional.ofNullable(known.get(place + " " + what))
        .filter(s -> !s.seen().isEmpty() && isRecent(s.seen().getLast()));
  }

  private boolean isRecent(Instant at) {
    return !at.plus(RECENT).isBefore(now);
  }

  private String orders(Stockout stockout) {
    var n = count(stockout);
    return n == 1 ? "an order" : n + " orders";
  }

  private long count(Stockout stockout) {
    return stockout.seen().stream().filter(this::isRecent).count();
  }

  private String codeAndAge(Stockout stockout) {
    return stockout.code() + " " + HumanDuration.ago(stockout.seen().getLast(), now);
  }
}
