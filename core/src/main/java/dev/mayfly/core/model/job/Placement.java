package dev.mayfly.core.model.job;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where a job may run. Each list is a restriction; an empty one allows everything.
 *
 * @param pools names of pools; that of one that chooses among types allows all of these, that of a
 *     choice ({@link PoolSpec#choice}) this type alone
 * @param zones zones, or regions for all of their zones
 * @param workers names of existing workers; a job that names some launches none
 * @param locations of the buckets that it reads and writes, as in {@link StorageLocation}: a
 *     machine must be in each of them
 * @param labels that a machine must have, by name
 */
public record Placement(
    List<String> pools,
    List<String> zones,
    List<String> workers,
    List<String> locations,
    Map<String, String> labels) {
  public static final Placement ANYWHERE = new Placement(List.of(), List.of(), List.of());

  public Placement {
    pools = List.copyOf(pools);
    zones = List.copyOf(zones);
    workers = List.copyOf(workers);
    locations = List.copyOf(locations);
    labels = Map.copyOf(labels);
  }

  /** Without labels. */
  public Placement(
      List<String> pools, List<String> zones, List<String> workers, List<String> locations) {
    this(pools, zones, workers, locations, Map.of());
  }

  /** Without locations and labels. */
  public Placement(List<String> pools, List<String> zones, List<String> workers) {
    this(pools, zones, workers, List.of());
  }

  public Placement withLocations(List<String> buckets) {
    return new Placement(pools, zones, workers, buckets, labels);
  }

  /** A copy for machines with these labels. */
  public Placement withLabels(Map<String, String> wanted) {
    return new Placement(pools, zones, workers, locations, wanted);
  }

  public static Placement inPools(List<String> pools) {
    return new Placement(pools, List.of(), List.of());
  }

  /** Whether it may run in the pool; fallback pools must be named. */
  public boolean allowsPool(String name) {
    if (pools.isEmpty()) return !PoolSpec.isFallback(name);
    return pools.stream().anyMatch(written -> PoolSpec.isNamed(written, name));
  }

  /** Whether its urgent work may run in the pool. */
  public boolean allowsFallbackPool(String name) {
    return allowsPool(name) || (PoolSpec.isFallback(name) && allowsPool(PoolSpec.stem(name)));
  }

  /** A copy with exactly these pools, at least one. */
  public Placement withPools(List<String> named) {
    if (named.isEmpty()) throw new IllegalArgumentException("no pool");
    return new Placement(named, zones, workers, locations, labels);
  }

  public boolean allowsZone(String name) {
    var named =
        zones.isEmpty() || zones.stream().anyMatch(z -> name.equals(z) || name.startsWith(z + "-"));
    return named && StorageLocation.allContain(locations, name);
  }

  /** Whether the pool has a zone and labels with which the job may run. */
  public boolean allowsSomeZone(PoolSpec pool) {
    return allowsPool(pool.name())
        && allowsLabelsOf(pool)
        && pool.zones().stream().anyMatch(this::allowsZone);
  }

  /** Whether a machine of an allowed pool may run it. */
  public boolean allowsMachine(String zone, String name, Map<String, String> labels) {
    return machine(zone, name) && allowsLabels(labels);
  }

  /** Whether a machine with these labels has those that the job asks for. */
  public boolean allowsLabels(Map<String, String> has) {
    return has.entrySet().containsAll(labels.entrySet());
  }

  /** Whether machines of the pool may have them; a static worker brings labels of its own. */
  public boolean allowsLabelsOf(PoolSpec pool) {
    return pool.provisioning() == Provisioning.STATIC || allowsLabels(pool.labels());
  }

  /**
   * Whether such tasks may run on all hosts of a slice at once: only if the job asks for it, by
   * naming pools or TPU chips.
   */
  public boolean allowsSlices(Resources need) {
    return !pools.isEmpty() || need.tpuChips() > 0;
  }

  /** Whether it may run on this machine of a pool. */
  public boolean machine(String zone, String worker) {
    return allowsZone(zone) && (workers.isEmpty() || workers.contains(worker));
  }

  /** All names in it. */
  public List<String> names() {
    return Stream.of(
            pools,
            zones,
            workers,
            locations,
            labels.entrySet().stream().map(Map.Entry::toString).toList())
        .flatMap(List::stream)
        .toList();
  }

  /** Whether machines may be launched for it. */
  public boolean allowsLaunches() {
    return workers.isEmpty();
  }
}
