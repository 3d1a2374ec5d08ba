package dev.mayfly.core.catalog;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.model.cluster.StorageSource;
import java.util.Map;

/**
 * What a Filestore instance costs a month at list price, from a table of the catalog. Other storage
 * has no price of its own here: a bucket costs what it holds, and an NFS server is its owner's.
 */
public final class StoragePrices {
  private static final Map<String, MonthlyPrice> TIERS =
      CatalogTable.read("filestore.csv", "tier", "usd_per_gib_month", "region", "source")
          .index(
              row -> row.word("tier"),
              row ->
                  new MonthlyPrice(
                      row.number("usd_per_gib_month"), row.word("region"), row.source()));

  /**
   * A price a month.
   *
   * @param usd of a GiB in the table, of an instance elsewhere
   * @param region whose list price it is; others differ
   */
  public record MonthlyPrice(double usd, String region, PriceSource source) {}

  private StoragePrices() {}

  /** The price of one GiB. */
  public static MonthlyPrice ofGib(StorageSource.Tier tier) {
    return requireNonNull(TIERS.get(tier.name()));
  }

  /** The price of an instance. */
  public static MonthlyPrice of(StorageSource.Tier tier, long gib) {
    var one = ofGib(tier);
    return new MonthlyPrice(one.usd() * gib, one.region(), one.source());
  }
}
