package dev.mayfly.core.model;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The location of a bucket: a region ({@code us-central1}), two regions ({@code
 * us-central1+us-east1}), or a continent ({@code us}, {@code eu}, {@code asia}).
 *
 * @param text in lower case, as it is stored and shown
 */
public record StorageLocation(String text) {
  private static final Pattern REGION = Pattern.compile("[a-z]{2,}-[a-z]{2,}[0-9]{1,2}");

  /** Cloud Storage's names of predefined pairs. */
  private static final Map<String, String> PAIRS =
      Map.of(
          "nam4", "us-central1+us-east1",
          "eur4", "europe-north1+europe-west4",
          "eur5", "europe-west1+europe-west2",
          "eur7", "europe-west2+europe-west3",
          "eur8", "europe-west3+europe-west6",
          "asia1", "asia-northeast1+asia-northeast2");

  /** Not in the European Union, so buckets of the continent keep nothing here. */
  private static final List<String> NOT_EU = List.of("europe-west2", "europe-west6");

  /**
   * Parses a location; empty for a name without known regions.
   *
   * @param name the bucket's location, in any case
   * @param regions the two chosen regions of a configurable dual-region bucket; otherwise empty
   */
  public static Optional<StorageLocation> of(String name, List<String> regions) {
    var low = name.toLowerCase(Locale.ROOT);
    if (!regions.isEmpty())
      return known(String.join("+", regions.stream().sorted().toList()).toLowerCase(Locale.ROOT));
    return known(PAIRS.getOrDefault(low, low));
  }

  private static Optional<StorageLocation> known(String text) {
    var parts = List.of(text.split("\\+"));
    var plain = parts.stream().allMatch(p -> REGION.matcher(p).matches());
    return plain || List.of("us", "eu", "asia").contains(text)
        ? Optional.of(new StorageLocation(text))
        : Optional.empty();
  }

  /** Whether data transfer between the region and the location stays in it and is free. */
  public boolean contains(String region) {
    return switch (text) {
      case "us" -> region.startsWith("us-");
      case "eu" -> region.startsWith("europe-") && !NOT_EU.contains(region);
      case "asia" -> region.startsWith("asia-");
      default -> List.of(text.split("\\+")).contains(region);
    };
  }

  /** Whether a machine in the zone is in all of the locations; true without locations. */
  public static boolean allContain(List<String> locations, String zone) {
    if (locations.isEmpty()) return true;
    var region = region(zone);
    return locations.stream().allMatch(l -> new StorageLocation(l).contains(region));
  }

  /** The region of a zone: {@code us-central1} of {@code us-central1-a}. */
  public static String region(String zone) {
    var dash = zone.lastIndexOf('-');
    return dash < 0 ? zone : zone.substring(0, dash);
  }
}
