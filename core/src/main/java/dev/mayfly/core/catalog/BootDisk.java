package dev.mayfly.core.catalog;

import dev.mayfly.core.catalog.StoragePrices.MonthlyPrice;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * The boot disk that a pool's machines start from: what the pool says, and otherwise what {@code
 * boot-disks.csv} has for its machine type. Compute Engine's own default is a hard disk for many
 * families, on which an image of 10 GB takes a quarter of an hour to unpack.
 *
 * @param type empty for a family that is not known: the cloud chooses
 * @param sizeGb as billed, used or not
 */
public record BootDisk(Optional<String> type, long sizeGb) {
  /** What a machine has unless its pool says otherwise or it has GPUs or TPUs. */
  public static final int USUAL_GB = 50;

  private static final double HOURS_A_MONTH = 730;

  private static final Map<String, String> USUAL =
      CatalogTable.read("boot-disks.csv", "types", "disk")
          .index(row -> row.word("types"), row -> row.word("disk"));

  private static final Map<String, MonthlyPrice> PRICES =
      CatalogTable.read("disk-prices.csv", "disk", "usd_per_gib_month", "region", "source")
          .index(row -> row.word("disk"), BootDisk::price);

  private static MonthlyPrice price(CatalogTable.Row row) {
    return new MonthlyPrice(row.number("usd_per_gib_month"), row.word("region"), row.source());
  }

  /** Empty for a node of Cloud TPU and for a machine of one's own, whose disks are not ordered. */
  public static Optional<BootDisk> of(PoolSpec pool) {
    var machine = pool.machine();
    if (machine.tpu().isPresent() || pool.provisioning() == Provisioning.STATIC)
      return Optional.empty();
    var size = machine.diskGb() > 0 ? machine.diskGb() : usualGb(pool);
    return Optional.of(
        new BootDisk(machine.diskType().or(() -> usualType(pool.machineType())), size));
  }

  private static long usualGb(PoolSpec pool) {
    if (pool.machine().image().isPresent()) return USUAL_GB;
    if (MachineTypes.hasGpus(pool)) return Math.max(GpuBootImage.preferred().diskGb(), USUAL_GB);
    return TpuMachine.image(pool.machineType()).isPresent() ? TpuMachine.DISK_GB : USUAL_GB;
  }

  /** What a type's machines have unless their pool names another; empty if it is not known. */
  public static Optional<String> usualType(String machineType) {
    return USUAL.keySet().stream()
        .filter(begin -> machineType.startsWith(begin + "-"))
        .max(Comparator.comparingInt(String::length))
        .map(USUAL::get);
  }

  /** The price of one GiB of a type of disk; empty where it is not known. */
  public static Optional<MonthlyPrice> ofGib(String type) {
    return Optional.ofNullable(PRICES.get(type));
  }

  /** All of the disk, an hour; empty where its price is not known. */
  public Optional<HourlyPrice> price() {
    return type.flatMap(BootDisk::ofGib)
        .map(month ->
            new HourlyPrice(month.usd() * sizeGb / HOURS_A_MONTH, month.region(), month.source()));
  }
}
