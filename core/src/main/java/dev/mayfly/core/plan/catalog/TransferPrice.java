package dev.mayfly.core.plan.catalog;

import dev.mayfly.core.model.StorageLocation;
import java.util.Locale;

/**
 * What it costs to move data between regions, as far as it can be told before a job runs.
 *
 * <p>Dollars a GiB by continents, after the tables "Data transfer within Google Cloud" of {@code
 * cloud.google.com/storage/pricing} as they were in July 2025. It is an estimate for people, and
 * never used for anything else: discounts and single pairs of regions differ.
 */
public final class TransferPrice {
  private static final String SOURCE = "list price of July 2025, cloud.google.com/storage/pricing";
  private static final double GIB = 1L << 30;

  private TransferPrice() {}

  private enum Continent {
    AMERICA,
    EUROPE,
    ASIA,
    OCEANIA,
    SOUTH,
    ELSEWHERE;

    static Continent of(String place) {
      if (place.startsWith("us") || place.startsWith("northamerica")) return AMERICA;
      if (place.startsWith("eu")) return EUROPE;
      if (place.startsWith("asia")) return ASIA;
      if (place.startsWith("australia")) return OCEANIA;
      return place.startsWith("southamerica") ? SOUTH : ELSEWHERE;
    }
  }

  /** Dollars a GiB from where a bucket is to a region that it does not hold, or back. */
  public static double perGib(StorageLocation bucket, String region) {
    var from = Continent.of(bucket.text());
    var to = Continent.of(region);
    if (from == Continent.SOUTH || to == Continent.SOUTH) return 0.14;
    if (from == Continent.ELSEWHERE || to == Continent.ELSEWHERE) return 0.11;
    if (from == to && (from == Continent.AMERICA || from == Continent.EUROPE)) return 0.02;
    if (from == to) return 0.08;
    if (from == Continent.OCEANIA || to == Continent.OCEANIA) return 0.10;
    return from == Continent.ASIA || to == Continent.ASIA ? 0.08 : 0.05;
  }

  /** What reading so many bytes costs, in words. */
  public static String reading(StorageLocation bucket, String region, long bytes, boolean all) {
    var price = perGib(bucket, region);
    return "reading the %s of inputs %s would cost about $%s (%s)"
        .formatted(
            size(bytes),
            all ? "that are listed" : "that are listed so far, of many more,",
            money(bytes / GIB * price),
            terms(price));
  }

  /** What each GiB costs, in words, where nobody knows how many there will be. */
  public static String each(StorageLocation bucket, String region) {
    var price = perGib(bucket, region);
    return "each GiB would cost about $%s (%s); how many there will be is not known"
        .formatted(money(price), SOURCE);
  }

  private static String terms(double price) {
    return "$%s a GiB, %s".formatted(money(price), SOURCE);
  }

  private static String size(long bytes) {
    if (bytes < 10 << 20) return "%,d KiB".formatted((bytes + 1023) >> 10);
    return bytes < 10L << 30
        ? "%,d MiB".formatted(bytes >> 20)
        : String.format(Locale.ROOT, "%,.1f GiB", bytes / GIB);
  }

  private static String money(double dollars) {
    return String.format(Locale.ROOT, "%,.2f", Math.max(0.01, dollars));
  }
}
