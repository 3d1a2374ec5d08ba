package dev.mayfly.core.catalog;

import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Map;
import java.util.Optional;

/**
 * What machines cost an hour at list price, for people who choose between them. Whole machines and
 * slices are in {@code prices.csv}; for types that it lacks, {@code rates.csv} has the price of a
 * CPU and of a GiB, by family. The tables name their sources.
 *
 * <p>Nothing is decided by these prices: a budget has its own, and a bill has discounts.
 */
public final class MachinePrices {
  private static final double GIB = 1L << 30;

  /** By type and provisioning: {@code v5p-8.spot}. */
  private static final Map<String, HourlyPrice> WHOLE =
      CatalogTable.read("prices.csv", "type", "provisioning", "usd_per_hour", "region", "source")
          .index(MachinePrices::key, row -> price(row, row.number("usd_per_hour")));

  private static final Map<String, Rate> RATES =
      CatalogTable.read(
              "rates.csv",
              "family",
              "vcpu_hour",
              "gib_hour",
              "spot_vcpu_hour",
              "spot_gib_hour",
              "region",
              "source")
          .index(row -> row.word("family"), MachinePrices::rate);

  private static final Map<String, GpuRate> GPUS =
      CatalogTable.read("gpu-rates.csv", "gpu", "gpu_hour", "spot_gpu_hour", "region", "source")
          .index(row -> row.word("gpu"), MachinePrices::gpuRate);

  /** Of a CPU, and of a GiB; on demand, and for those that are sold so, spot. */
  private record Rate(Parts onDemand, Optional<Parts> spot) {}

  private record Parts(double cpu, double gib, String region, PriceSource source) {
    HourlyPrice of(CatalogEntry type) {
      var cpus = type.host().cpuMillis() / 1000.0 * cpu;
      var memory = type.host().memoryBytes() / GIB * gib;
      return new HourlyPrice(cpus + memory, region, source);
    }
  }

  private record GpuRate(HourlyPrice onDemand, Optional<HourlyPrice> spot) {}

  private MachinePrices() {}

  /**
   * The price of one machine, or of all hosts of a slice. Empty for what has no price here: a
   * custom type, a type that is not known or not sold so, and every other way to buy than on demand
   * and spot.
   */
  public static Optional<HourlyPrice> of(String type, Provisioning how) {
    return Optional.ofNullable(WHOLE.get(type + "." + how.word())).or(() -> byRate(type, how));
  }

  /** The same with so many GPUs of a type attached; empty where they cannot be. */
  public static Optional<HourlyPrice> of(String type, Provisioning how, String gpu, int count) {
    var fits =
        AttachableGpu.of(gpu).filter(it -> it.counts().contains(count)).isPresent()
            && CatalogEntry.familyOf(type).equals(AttachableGpu.FAMILY);
    if (!fits) return Optional.empty();
    return of(type, how).flatMap(base -> ofGpu(gpu, how).map(one -> base.plus(one.times(count))));
  }

  /** The price of one GPU that is attached, on top of its machine's. */
  public static Optional<HourlyPrice> ofGpu(String gpu, Provisioning how) {
    var rate = Optional.ofNullable(GPUS.get(gpu));
    return switch (how) {
      case ON_DEMAND -> rate.map(GpuRate::onDemand);
      case SPOT -> rate.flatMap(GpuRate::spot);
      case RESERVED, FLEX_START, STATIC -> Optional.empty();
    };
  }

  private static Optional<HourlyPrice> byRate(String type, Provisioning how) {
    // A rate has neither GPUs nor local SSDs in it.
    var plain =
        MachineTypes.predefined(type).filter(it -> it.gpus() == 0 && !type.endsWith("lssd"));
    var rate = Optional.ofNullable(RATES.get(CatalogEntry.familyOf(type)));
    var parts =
        switch (how) {
          case ON_DEMAND -> rate.map(Rate::onDemand);
          case SPOT -> rate.flatMap(Rate::spot);
          case RESERVED, FLEX_START, STATIC -> Optional.<Parts>empty();
        };
    return plain.flatMap(it -> parts.map(p -> p.of(it)));
  }

  private static String key(CatalogTable.Row row) {
    var how = row.word("provisioning");
    if (!how.equals(Provisioning.ON_DEMAND.word()) && !how.equals(Provisioning.SPOT.word()))
      throw row.wrong("provisioning is neither on-demand nor spot");
    return row.word("type") + "." + how;
  }

  private static Rate rate(CatalogTable.Row row) {
    var cpu = row.numberIfAny("spot_vcpu_hour");
    var gib = row.numberIfAny("spot_gib_hour");
    if (cpu.isPresent() != gib.isPresent()) throw row.wrong("half of its spot price is missing");
    return new Rate(
        parts(row, row.number("vcpu_hour"), row.number("gib_hour")),
        cpu.flatMap(c -> gib.map(g -> parts(row, c, g))));
  }

  private static Parts parts(CatalogTable.Row row, double cpu, double gib) {
    return new Parts(cpu, gib, row.word("region"), row.source());
  }

  private static GpuRate gpuRate(CatalogTable.Row row) {
    return new GpuRate(
        price(row, row.number("gpu_hour")),
        row.numberIfAny("spot_gpu_hour").map(usd -> price(row, usd)));
  }

  private static HourlyPrice price(CatalogTable.Row row, double usd) {
    return new HourlyPrice(usd, row.word("region"), row.source());
  }
}
