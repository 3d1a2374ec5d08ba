package dev.mayfly.core.control;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Location;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.TransferPrice;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
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
 * Keeps a job's machines where its data are: transfer between regions is expensive and slow, and
 * nobody sees it happen.
 */
final class Locality {
  /** A bucket may be deleted and made again elsewhere, which is seldom. */
  private static final Duration KEPT = Duration.ofMinutes(10);

  private final Objects objects;
  private final InstantSource clock;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  private record Known(Optional<Location> location, Instant at) {}

  /** A bucket that a job uses, and what a document calls the use. */
  private record Use(String field, String bucket, Location location) {}

  Locality(Objects objects, InstantSource clock) {
    this.objects = objects;
    this.clock = clock;
  }

  /**
   * The locations that a worker must be in to run the job; none if it may run anywhere, or if
   * nobody knows where its buckets are. Throws {@link Invalid} with the price when the cluster has
   * no machine there, and {@link MissingPermission} when a bucket does not say where it is.
   *
   * @param outputs of the first tasks
   */
  List<String> check(
      JobSpec spec, ClusterSpec cluster, TaskLister.Slice first, Iterable<String> outputs) {
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
    return uses.stream().allMatch(u -> u.location.holds(region));
  }

  /** Of the pools that can run the job, with one of their zones. */
  private static Map<String, String> regions(JobSpec spec, ClusterSpec cluster) {
    var regions = new TreeMap<String, String>();
    for (PoolSpec pool : cluster.pools())
      if (Feasibility.mayRun(spec, pool))
        pool.zones().stream()
            .filter(spec.place()::zone)
            .forEach(z -> regions.putIfAbsent(Location.region(z), z));
    return regions;
  }

  private List<Use> uses(JobSpec spec, TaskLister.Slice first, Iterable<String> outputs) {
    var uses = new ArrayList<Use>();
    var reads = new TreeSet<String>();
    if (spec.tasks() instanceof TaskSource.Inputs i) root(i.glob()).ifPresent(reads::add);
    else
      for (TaskItem item : first.items())
        item.input().flatMap(Locality::root).ifPresent(reads::add);
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
      return Optional.of(Url.of(url).root()).filter(r -> r.startsWith("gs://"));
    } catch (IllegalArgumentException noPlace) {
      return Optional.empty();
    }
  }

  private Optional<Location> location(String bucket, String field) {
    var seen = known.get(bucket);
    if (seen == null || seen.at.plus(KEPT).isBefore(clock.instant())) {
      seen = new Known(asked(bucket, field), clock.instant());
      known.put(bucket, seen);
    }
    return seen.location;
  }

  private Optional<Location> asked(String bucket, String field) {
    try {
      return objects.location(new Url(bucket, ""));
    } catch (MissingPermission missing) {
      throw MissingPermission.at(
          bucket, field + ": " + unknown(bucket, missing.getMessage()), missing);
    } catch (Denied denied) {
      throw new Invalid(field, unknown(bucket, denied.getMessage()));
    }
  }

  private static String unknown(String bucket, String why) {
    return "nobody can tell in which region %s is, and so whether reading and writing it costs anything: %s; let the control plane list the bucket's objects, or write anyRegion: true"
        .formatted(bucket, why);
  }

  /** Of the bucket that fits worst: that which no machine of the cluster is in, or the first. */
  private static Invalid refused(
      List<Use> uses, List<String> regions, ClusterSpec cluster, TaskLister.Slice first) {
    var use =
        uses.stream()
            .filter(u -> regions.stream().noneMatch(u.location::holds))
            .findFirst()
            .orElseGet(uses::getFirst);
    var region = regions.stream().filter(r -> !use.location.holds(r)).findFirst().orElseThrow();
    var listed = use.field.equals("tasks.inputs") && first.bytes() > 0;
    var cost =
        listed
            ? TransferPrice.reading(use.location, region, first.bytes(), first.complete())
            : TransferPrice.each(use.location, region);
    return new Invalid(
        use.field,
        "%s is in %s%s, and the pools of cluster %s that can run the job are in %s: %s; use a bucket in %s or a cluster with a pool in %s, or write anyRegion: true to run it all the same"
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
