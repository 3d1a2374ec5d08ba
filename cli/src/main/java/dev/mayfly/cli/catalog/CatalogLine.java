package dev.mayfly.cli.catalog;

import dev.mayfly.core.catalog.BootDisk;
import dev.mayfly.core.catalog.CatalogEntry;
import dev.mayfly.core.catalog.HourlyPrice;
import dev.mayfly.core.catalog.MachinePrices;
import dev.mayfly.core.catalog.StoragePrices;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One type, as JSON too.
 *
 * @param cpus of one host
 * @param memoryGib of one host
 * @param gpus that the type brings
 * @param tpuChips of all hosts
 * @param bootDisk what a pool's machines start from unless it says otherwise; empty for a TPU
 * @param onDemand of all hosts; empty where it is not sold so, or not known
 */
record CatalogLine(
    String type,
    String family,
    double cpus,
    double memoryGib,
    long gpus,
    Optional<String> gpuModel,
    long tpuChips,
    int hosts,
    Optional<String> topology,
    Optional<Disk> bootDisk,
    Optional<Price> onDemand,
    Optional<Price> spot) {
  private static final double GIB = 1L << 30;

  /**
   * A list price an hour, which is an estimate.
   *
   * @param month when it was so: {@code 2026-07}
   */
  record Price(double usdPerHour, String region, String month, String source) {
    static Price of(HourlyPrice price) {
      var source = price.source();
      return new Price(price.usd(), price.region(), source.month().toString(), source.page());
    }
  }

  /** A type of disk, and what a GiB of it costs a month at list price. */
  record Disk(String type, Optional<Double> usdPerGibMonth) {
    static Disk of(String type) {
      return new Disk(type, BootDisk.ofGib(type).map(StoragePrices.MonthlyPrice::usd));
    }
  }

  static CatalogLine of(CatalogEntry entry) {
    return new CatalogLine(
        entry.type(),
        entry.family(),
        entry.host().cpuMillis() / 1000.0,
        entry.host().memoryBytes() / GIB,
        entry.gpus(),
        entry.gpuModel(),
        entry.chips(),
        entry.hosts(),
        entry.topology(),
        BootDisk.usualType(entry.type()).map(Disk::of),
        MachinePrices.of(entry.type(), Provisioning.ON_DEMAND).map(Price::of),
        MachinePrices.of(entry.type(), Provisioning.SPOT).map(Price::of));
  }

  Stream<Price> prices() {
    return Stream.concat(onDemand.stream(), spot.stream());
  }
}
