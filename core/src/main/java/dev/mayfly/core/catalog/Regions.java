package dev.mayfly.core.catalog;

import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.text.SpellingSuggestion;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Google's regions, after {@code regions.csv}, to find misspelt zones. Google opens new regions and
 * zones, so that a name which is not known may be right: only one that is a slip of the pen away
 * from a known place is taken for a mistake.
 */
public final class Regions {
  private static final Set<String> ALL =
      Set.copyOf(
          CatalogTable.read("regions.csv", "region")
              .index(row -> row.word("region"), row -> row)
              .keySet());

  /** The places that regions are numbered in: {@code us-central}. */
  private static final Set<String> PLACES =
      ALL.stream().map(Regions::place).collect(Collectors.toUnmodifiableSet());

  private Regions() {}

  /** Whether the zone is in a region of the table. */
  public static boolean isKnown(String zone) {
    return ALL.contains(StorageLocation.region(zone));
  }

  /** The zone that was meant by a misspelt one; empty for a name that may be right. */
  public static Optional<String> meant(String zone) {
    var region = StorageLocation.region(zone);
    var place = place(region);
    if (PLACES.contains(place)) return Optional.empty();
    return SpellingSuggestion.slip(place, PLACES)
        .map(right -> right + zone.substring(place.length()));
  }

  private static String place(String region) {
    var end = region.length();
    while (end > 0 && Character.isDigit(region.charAt(end - 1))) end--;
    return region.substring(0, end);
  }
}
