package dev.mayfly.sim.fake;

import dev.mayfly.core.plan.capacity.ZoneAvailability;
import java.util.Map;
import java.util.TreeMap;

/** How many more machines zones have and regions allow; any number of those without an entry. */
final class SimStock {
  private final Map<String, Integer> zones = new TreeMap<>();
  private final Map<String, Integer> regions = new TreeMap<>();

  void zone(String zone, int machines) {
    zones.put(zone, machines);
  }

  void region(String region, int machines) {
    regions.put(region, machines);
  }

  /** Whether the zone has a machine. */
  boolean has(String zone) {
    return zones.getOrDefault(zone, 1) > 0;
  }

  /** Whether the quota of its region allows a machine. */
  boolean allows(String zone) {
    return regions.getOrDefault(ZoneAvailability.region(zone), 1) > 0;
  }

  void take(String zone) {
    add(zone, -1);
  }

  void giveBack(String zone) {
    add(zone, 1);
  }

  private void add(String zone, int machines) {
    zones.computeIfPresent(zone, (_, n) -> n + machines);
    regions.computeIfPresent(ZoneAvailability.region(zone), (_, n) -> n + machines);
  }
}
