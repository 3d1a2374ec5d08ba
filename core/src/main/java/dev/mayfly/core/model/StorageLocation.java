package dev.mayfly.core.model;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a bucket is: a region ({@code us-central1}), two of them ({@code us-central1+us-east1}), or
 * a continent ({@code us}, {@code eu}, {@code asia}).
 *
 * @param text in lower case, as it is stored and shown
 */
public record StorageLocation(String text) {
  private static final Pattern REGION = Pattern.compile("[a-z]{2,}-[a-z]{2,}[0-9]{1,2}");

  /** The names that Cloud Storage gives to pairs of its own choice. */
  private static final Map<String, String> PAIRS =
      Map.of(
          "nam4", "us-central1+us-east1",
          "eur4", "europe-north1+europe-west4",
          "eur5", "europe-west1+europe-west2",
          "eur7", "europe-west2+europe-west3",
          "eur8", "europe-west3+europe-west6",
          "asia1", "asia-northeast1+asia-northeast2");

  /** A bucket of the continent keeps nothing in these: they are not in the European Union. */
  private static final List<String> NOT_EU = List.of("europe-west2", "europe-west6");

  /**
   * Empty for a name that says nothing about regions.
   *
   * @param name the bucket's location, in any case
   * @param regions the two that were chosen for it; none for any other bucket
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

  /** Whether what is read and written from the region stays in the location, and costs nothing. */
  public boolean contains(String region) {
    return switch (text) {
      case "us" -> region.startsWith("us-");
      case "eu" -> region.startsWith("europe-") && !NOT_EU.contains(region);
      case "asia" -> region.startsWith("asia-");
      default -> List.of(text.split("\\+")).contains(region);
    };
  }

  /** Whether a machine in the zone is in all of the locations; true where there is none. */
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
