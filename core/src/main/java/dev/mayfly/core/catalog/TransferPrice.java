package dev.mayfly.core.catalog;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.model.StorageLocation;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What it costs to move data between regions, as far as it can be told before a job runs.
 *
 * <p>Dollars a GiB by continents, after {@code transfer.csv}, which names its source. It is an
 * estimate for people, and never used for anything else: discounts and single pairs of regions
 * differ.
 */
public final class TransferPrice {
  private static final double GIB = 1L << 30;

  /** What a GiB costs, by the continents from and to which it goes. */
  private static final Map<String, Rate> RATES =
      CatalogTable.read("transfer.csv", "from_continent", "to_continent", "usd_per_gib", "source")
          .index(
              row -> key(continent(row, "from_continent"), continent(row, "to_continent")),
              row -> new Rate(row.number("usd_per_gib"), row.source()));

  private record Rate(double usdPerGib, PriceSource source) {
    String origin() {
      return "list price of %s, %s".formatted(source.monthInWords(), source.page());
    }
  }

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
    return rate(bucket, region).usdPerGib();
  }

  /** What reading so many bytes costs, in words. */
  public static String reading(StorageLocation bucket, String region, long bytes, boolean all) {
    var rate = rate(bucket, region);
    return "reading the %s of inputs %s would cost about $%s ($%s a GiB, %s)"
        .formatted(
            size(bytes),
            all ? "that are listed" : "that are listed so far, of many more,",
            money(bytes / GIB * rate.usdPerGib()),
            money(rate.usdPerGib()),
            rate.origin());
  }

  /** The price of a GiB in words, for an amount that is not known yet. */
  public static String each(StorageLocation bucket, String region) {
    var rate = rate(bucket, region);
    return "each GiB would cost about $%s (%s); how many there will be is not known"
        .formatted(money(rate.usdPerGib()), rate.origin());
  }

  private static Rate rate(StorageLocation bucket, String region) {
    var key = key(Continent.of(bucket.text()), Continent.of(region));
    return requireNonNull(RATES.get(key), () -> "transfer.csv has no " + key);
  }

  private static String key(Continent from, Continent to) {
    return from + " " + to;
  }

  private static Continent continent(CatalogTable.Row row, String column) {
    return Stream.of(Continent.values())
        .filter(it -> it.name().toLowerCase(Locale.ROOT).equals(row.text(column)))
        .findFirst()
        .orElseThrow(() -> row.wrong(column + " is not a continent"));
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
