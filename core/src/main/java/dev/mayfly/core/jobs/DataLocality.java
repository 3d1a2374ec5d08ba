package dev.mayfly.core.jobs;

import dev.mayfly.core.catalog.TransferPrice;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a job's machines near its data: transfer between regions is expensive, slow and easily
 * overlooked.
 */
public final class DataLocality {
  /** A bucket may be deleted and created elsewhere, but rarely is. */
  private static final Duration KEPT = Duration.ofMinutes(10);

  private final BucketLocations bucketLocations;
  private final InstantSource clock;
  private final Map<String, CachedLocation> locations = new ConcurrentHashMap<>();

  private record CachedLocation(Optional<StorageLocation> location, Instant at) {}

  /** Where buckets are, as {@link dev.mayfly.core.port.ObjectStore#location} says it. */
  public interface BucketLocations {
    Optional<StorageLocation> of(ObjectUrl place);
  }

  private record StoreLocations(ObjectStore objectStore) implements BucketLocations {
    @Override
    public Optional<StorageLocation> of(ObjectUrl place) {
      return objectStore.location(place);
    }
  }

  /** A bucket that a job uses, and the document field that names it. */
  private record Use(String field, String bucket, StorageLocation location) {}

  public DataLocality(ObjectStore objectStore, InstantSource clock) {
    this(new StoreLocations(objectStore), clock);
  }

  public DataLocality(BucketLocations bucketLocations, InstantSource clock) {
    this.bucketLocations = bucketLocations;
    this.clock = clock;
  }

  /**
   * The locations that a worker must be in to run the job; empty if it may run anywhere or its
   * buckets' locations are unknown. Throws {@link InvalidInputException} with the price if the
   * cluster has no machine there, and {@link MissingPermissionException} if a bucket's location
   * cannot be read.
   *
   * @param outputs of the first tasks
   */
  List<String> check(
      JobSpec spec, ClusterSpec cluster, TaskLister.TaskBatch first, Iterable<String> outputs) {
    if (spec.anyRegion()) return List.of();
    var uses = uses(spec, first, outputs);
    if (uses.isEmpty()) return List.of();
    var regions = regions(spec, cluster);
    var texts = uses.stream().map(u -> u.location.text()).distinct().sorted().toList();
    if (regions.keySet().stream().noneMatch(r -> holds(uses, r)))
      throw refused(uses, List.copyOf(regions.keySet()), cluster, first);
    return texts;
  }

  private static boolean holds(List<Use> uses, String region) {
    return uses.stream().allMatch(u -> u.location.contains(region));
  }

  /** The regions of the pools that can run the job, each with one of their zones. */
  private static Map<String, String> regions(JobSpec spec, ClusterSpec cluster) {
    var regions = new TreeMap<String, String>();
    for (PoolSpec pool : cluster.pools())
      if (Feasibility.mayRun(spec, pool))
        pool.zones().stream()
            .filter(spec.place()::allowsZone)
            .forEach(z -> regions.putIfAbsent(StorageLocation.region(z), z));
    return regions;
  }

  private List<Use> uses(JobSpec spec, TaskLister.TaskBatch first, Iterable<String> outputs) {
    var uses = new ArrayList<Use>();
    var reads = new TreeSet<String>();
    if (spec.tasks().listed().orElse(null) instanceof TaskSource.Inputs i)
      root(i.glob()).ifPresent(reads::add);
    else
      for (TaskItem item : first.items())
        item.input().flatMap(DataLocality::root).ifPresent(reads::add);
    var writes = new TreeSet<String>();
    for (var output : outputs) root(output).ifPresent(writes::add);
    for (var bucket : reads)
      location(bucket, "tasks.inputs")
          .ifPresent(at -> uses.add(new Use("tasks.inputs", bucket, at)));
    for (var bucket : writes)
      location(bucket, "output").ifPresent(at -> uses.add(new Use("output", bucket, at)));
    return uses;
  }

  private static Optional<String> root(String url) {
    try {
      return Optional.of(ObjectUrl.of(url).root()).filter(r -> r.startsWith("gs://"));
    } catch (IllegalArgumentException noPlace) {
      return Optional.empty();
    }
  }

  private Optional<StorageLocation> location(String bucket, String field) {
    var seen = locations.get(bucket);
    if (seen == null || seen.at.plus(KEPT).isBefore(clock.instant())) {
      seen = new CachedLocation(readLocation(bucket, field), clock.instant());
      locations.put(bucket, seen);
    }
    return seen.location;
  }

  private Optional<StorageLocation> readLocation(String bucket, String field) {
    try {
      return bucketLocations.of(new ObjectUrl(bucket, ""));
    } catch (MissingPermissionException missing) {
      throw MissingPermissionException.at(
          bucket, field + ": " + unknown(bucket, missing.getMessage()), missing);
    } catch (DeniedException deniedException) {
      throw new InvalidInputException(field, unknown(bucket, deniedException.getMessage()));
    }
  }

  private static String unknown(String bucket, String why) {
    return "the region of %s is unknown, and so whether reading and writing it costs anything: %s; let the control plane list the bucket's objects, or write anyRegion: true"
        .formatted(bucket, why);
  }

  /** Names the worst bucket: one whose region has no machine of the cluster, or the first. */
  private static InvalidInputException refused(
      List<Use> uses, List<String> regions, ClusterSpec cluster, TaskLister.TaskBatch first) {
    var use =
        uses.stream()
            .filter(u -> regions.stream().noneMatch(u.location::contains))
            .findFirst()
            .orElseGet(uses::getFirst);
    var region = regions.stream().filter(r -> !use.location.contains(r)).findFirst().orElseThrow();
    var listed = use.field.equals("tasks.inputs") && first.bytes() > 0;
    var cost =
        listed
            ? TransferPrice.reading(use.location, region, first.bytes(), first.complete())
            : TransferPrice.each(use.location, region);
    return new InvalidInputException(
        use.field,
        "%s is in %s%s, and the pools of cluster %s that can run the job are in %s: %s; use a bucket in %s or a cluster with a pool in %s, or write anyRegion: true to run it anyway"
            .formatted(
                use.bucket,
                use.location.text(),
                others(uses, use),
                cluster.name(),
                String.join(", ", regions),
                cost,
                String.join(" or ", regions),
                use.location.text()));
  }

  private static String others(List<Use> uses, Use use) {
    var rest =
        uses.stream()
            .filter(u -> !u.bucket.equals(use.bucket))
            .map(u -> u.bucket + " in " + u.location.text())
            .distinct()
            .toList();
    return rest.isEmpty() ? "" : " (" + String.join(", ", rest) + ")";
  }
}
