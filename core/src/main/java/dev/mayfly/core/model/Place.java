package dev.mayfly.core.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where a job may run. Each list narrows it down, and an empty one allows everything.
 *
 * @param pools names of pools
 * @param zones zones, or regions for all of their zones
 * @param workers names of workers that are there; none is launched for a job that names some
 * @param locations of the buckets that it reads and writes, as {@link Location} writes them: a
 *     machine must be in each of them
 */
public record Place(
    List<String> pools, List<String> zones, List<String> workers, List<String> locations) {
  public static final Place ANYWHERE = new Place(List.of(), List.of(), List.of());

  public Place {
    pools = List.copyOf(pools);
    zones = List.copyOf(zones);
    workers = List.copyOf(workers);
    locations = List.copyOf(locations);
  }

  /** Wherever its buckets are. */
  public Place(List<String> pools, List<String> zones, List<String> workers) {
    this(pools, zones, workers, List.of());
  }

  /** The same, near these buckets. */
  public Place near(List<String> buckets) {
    return new Place(pools, zones, workers, buckets);
  }

  public static Place inPools(List<String> pools) {
    return new Place(pools, List.of(), List.of());
  }

  /** Whether it may run in the pool; machines kept for urgent work have to be named. */
  public boolean pool(String name) {
    return pools.isEmpty() ? !PoolSpec.isFallback(name) : pools.contains(name);
  }

  /** Whether its urgent work may run in the pool. */
  public boolean fallback(String name) {
    return pool(name) || (PoolSpec.isFallback(name) && pool(PoolSpec.stem(name)));
  }

  /** The same place with these pools and no others; there is at least one. */
  public Place only(List<String> named) {
    if (named.isEmpty()) throw new IllegalArgumentException("no pool");
    return new Place(named, zones, workers, locations);
  }

  public boolean zone(String name) {
    var named =
        zones.isEmpty() || zones.stream().anyMatch(z -> name.equals(z) || name.startsWith(z + "-"));
    return named && Location.all(locations, name);
  }

  /** Whether the pool has a zone in which the job may run. */
  public boolean someZone(PoolSpec pool) {
    return pool(pool.name()) && pool.zones().stream().anyMatch(this::zone);
  }

  /**
   * Whether tasks that need so much may run on all hosts of a slice at once: only where somebody
   * asked for that, by naming pools or by TPU chips.
   */
  public boolean slices(Resources need) {
    return !pools.isEmpty() || need.tpuChips() > 0;
  }

  /** Whether it may run on this machine of a pool. */
  boolean machine(String zone, String worker) {
    return zone(zone) && (workers.isEmpty() || workers.contains(worker));
  }

  /** All names in it. */
  List<String> words() {
    return Stream.of(pools, zones, workers, locations).flatMap(List::stream).toList();
  }

  /** Whether it may run on machines that are not there yet. */
  public boolean launches() {
    return workers.isEmpty();
  }
}
