package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Zone;
import dev.mayfly.local.http.ApiError;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The zones of this cloud: names of real zones only. */
final class ZoneCatalog {
  private static final Map<String, String> LETTERS =
      Map.ofEntries(
          Map.entry("asia-east1", "abc"),
          Map.entry("asia-northeast1", "abc"),
          Map.entry("asia-southeast1", "abc"),
          Map.entry("europe-west1", "bcd"),
          Map.entry("europe-west2", "abc"),
          Map.entry("europe-west4", "abc"),
          Map.entry("us-central1", "abcf"),
          Map.entry("us-central2", "b"),
          Map.entry("us-east1", "bcd"),
          Map.entry("us-east4", "abc"),
          Map.entry("us-east5", "abc"),
          Map.entry("us-south1", "abc"),
          Map.entry("us-west1", "abc"),
          Map.entry("us-west2", "abc"),
          Map.entry("us-west4", "abc"));

  private static final List<String> NAMES =
      new TreeMap<>(LETTERS)
          .entrySet().stream()
              .flatMap(region ->
                  region.getValue().chars().mapToObj(c -> region.getKey() + "-" + (char) c))
              .toList();

  private ZoneCatalog() {}

  static List<String> names() {
    return NAMES;
  }

  /** The region of a zone. */
  static String region(String zone) {
    return zone.substring(0, zone.lastIndexOf('-'));
  }

  /**
   * @throws ApiError (404) for an unknown zone, with the known zones
   */
  static void check(String project, String zone) {
    if (!NAMES.contains(zone)) {
      var known = NAMES.stream().collect(Collectors.joining(", "));
      throw ApiError.notFound(
          "The resource 'projects/%s/zones/%s' was not found; this cloud has %s"
              .formatted(project, zone, known));
    }
  }

  static Zone describe(ResourceLinks resourceLinks, String zone) {
    return Zone.newBuilder()
        .setKind("compute#zone")
        .setName(zone)
        .setStatus("UP")
        .setRegion(resourceLinks.region(region(zone)))
        .setSelfLink(resourceLinks.zone(zone))
        .build();
  }
}
