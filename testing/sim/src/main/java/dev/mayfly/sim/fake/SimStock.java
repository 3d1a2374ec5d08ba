package dev.mayfly.sim.fake;

import dev.mayfly.core.model.StorageLocation;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many more machines zones have, for all pools or for one, and regions allow; any number of
 * those without an entry.
 */
final class SimStock {
  private final Map<String, Integer> zones = new TreeMap<>();
  private final Map<String, Integer> pools = new TreeMap<>();
  private final Map<String, Integer> regions = new TreeMap<>();

  void zone(String zone, int machines) {
    zones.put(zone, machines);
  }

  void pool(String pool, String zone, int machines) {
    pools.put(key(pool, zone), machines);
  }

  private static String key(String pool, String zone) {
    return zone + "/" + pool;
  }

  void region(String region, int machines) {
    regions.put(region, machines);
  }

  /** Whether the zone has a machine for the pool. */
  boolean has(String pool, String zone) {
    return zones.getOrDefault(zone, 1) > 0 && pools.getOrDefault(key(pool, zone), 1) > 0;
  }

  /** Whether the quota of its region allows a machine. */
  boolean allows(String zone) {
    return regions.getOrDefault(StorageLocation.region(zone), 1) > 0;
  }

  void take(String pool, String zone) {
    add(pool, zone, -1);
  }

  void giveBack(String pool, String zone) {
    add(pool, zone, 1);
  }

  private void add(String pool, String zone, int machines) {
    pools.computeIfPresent(key(pool, zone), (_, n) -> n + machines);
    zones.computeIfPresent(zone, (_, n) -> n + machines);
    regions.computeIfPresent(StorageLocation.region(zone), (_, n) -> n + machines);
  }
}
