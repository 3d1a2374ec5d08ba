package dev.mayfly.sim.fake;

import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.port.Fleet;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What the cloud refused, and when: the truth behind what is remembered of it. */
public final class SimRefusals {
  private final List<Entry> all = new ArrayList<>();

  private record Entry(String pool, String zone, Fleet.Refusal.Kind kind, Instant at) {}

  void add(Fleet.Order order, Fleet.Refusal refusal, Instant at) {
    // Documents have times to the microsecond.
    var moment = at.truncatedTo(ChronoUnit.MICROS);
    all.add(new Entry(order.pool().name(), order.name().zone(), refusal.kind(), moment));
  }

  /** Whether the zone had no machine at some time within the one before {@code until}. */
  public boolean lackedStock(String zone, Instant until, Duration within) {
    return all.stream()
        .anyMatch(e ->
            e.kind == Fleet.Refusal.Kind.CAPACITY
                && e.zone.equals(zone)
                && isWithin(e, until, within));
  }

  /** How often the zone had no machine for the pool. */
  public int stockouts(String pool, String zone) {
    return (int)
        all.stream()
            .filter(e ->
                e.kind == Fleet.Refusal.Kind.CAPACITY && e.pool.equals(pool) && e.zone.equals(zone))
            .count();
  }

  /** Whether the quota of the region was used up at some time within the one before. */
  public boolean lackedQuota(String region, Instant until, Duration within) {
    return all.stream()
        .anyMatch(e ->
            e.kind == Fleet.Refusal.Kind.QUOTA
                && StorageLocation.region(e.zone).equals(region)
                && isWithin(e, until, within));
  }

  private static boolean isWithin(Entry entry, Instant until, Duration within) {
    return !entry.at.isAfter(until) && !entry.at.isBefore(until.minus(within));
  }
}
