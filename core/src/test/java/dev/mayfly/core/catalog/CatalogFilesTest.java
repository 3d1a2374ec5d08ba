package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.StorageSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files as they are shipped: a line that is mistyped is found here. */
class CatalogFilesTest {
  private static final Map<String, CatalogTable> PRICED =
      Map.of(
          "prices.csv",
          CatalogTable.read(
              "prices.csv", "type", "provisioning", "usd_per_hour", "region", "source"),
          "rates.csv",
          CatalogTable.read(
              "rates.csv",
              "family",
              "vcpu_hour",
              "gib_hour",
              "spot_vcpu_hour",
              "spot_gib_hour",
              "region",
              "source"),
          "gpu-rates.csv",
          CatalogTable.read(
              "gpu-rates.csv", "gpu", "gpu_hour", "spot_gpu_hour", "region", "source"),
          "transfer.csv",
          CatalogTable.read(
              "transfer.csv", "from_continent", "to_continent", "usd_per_gib", "source"),
          "filestore.csv",
          CatalogTable.read("filestore.csv", "tier", "usd_per_gib_month", "region", "source"),
          "cuda.csv",
          CatalogTable.read("cuda.csv", "cuda", "base", "driver", "least", "source"),
          "boot-images.csv",
          CatalogTable.read("boot-images.csv", "image", "driver", "disk_gb", "source"),
          "disk-prices.csv",
          CatalogTable.read("disk-prices.csv", "disk", "usd_per_gib_month", "region", "source"),
          "gpu-memory.csv",
          CatalogTable.read("gpu-memory.csv", "gpu", "memory_mib", "source"));

  @Test
  void everyLineOfEveryFileIsRead() {
    // What reads them does so once, and fails for a line that it cannot read.
    assertThat(MachineTypes.all()).hasSize(422);
    assertThat(TpuTypes.all()).hasSize(51);
    assertThat(TpuMachine.all()).hasSize(8);
    assertThat(AttachableGpu.all()).hasSize(4);
    assertThat(PRICED.get("prices.csv").rows()).hasSize(326);
    assertThat(PRICED.get("rates.csv").rows()).hasSize(15);
    assertThat(PRICED.get("gpu-rates.csv").rows()).hasSize(4);
    assertThat(PRICED.get("transfer.csv").rows()).hasSize(36);
    assertThat(PRICED.get("filestore.csv").rows()).hasSize(4);
  }

  @Test
  void everyPriceHasAnExplainedSource() {
    PRICED.forEach((file, table) -> {
      var used = table.rows().stream().map(row -> row.source().id()).collect(Collectors.toSet());

      assertThat(used).as(file).isEqualTo(table.sources().keySet());
    });
  }

  @Test
  void oneSourceMeansTheSameEverywhere() {
    var sources = PRICED.values().stream().flatMap(it -> it.sources().values().stream()).toList();

    assertThat(sources.stream().map(PriceSource::id).distinct())
        .hasSameSizeAs(sources.stream().distinct().toList());
  }

  @Test
  void everyPricedTypeExists() {
    assertThat(PRICED.get("prices.csv").rows())
        .allSatisfy(row -> assertThat(MachineTypes.shape(row.text("type"))).isPresent());
    assertThat(families())
        .containsAll(PRICED.get("rates.csv").rows().stream().map(r -> r.text("family")).toList());
    assertThat(PRICED.get("gpu-rates.csv").rows().stream().map(r -> r.text("gpu")))
        .containsExactlyInAnyOrderElementsOf(
            AttachableGpu.all().stream().map(AttachableGpu::type).toList());
  }

  @Test
  void everyGpuHasKnownMemory() {
    var models =
        Stream.concat(
            MachineTypes.all().stream().flatMap(type -> type.gpuModel().stream()),
            AttachableGpu.all().stream().map(AttachableGpu::type));

    assertThat(models).allSatisfy(model -> assertThat(GpuMemory.of(model)).isPresent());
    // The driver shows a little less than the name says, and never more.
    assertThat(AttachableGpu.all())
        .allSatisfy(gpu ->
            assertThat(GpuMemory.of(gpu.type()).orElseThrow())
                .isBetween((gpu.memoryGib() - 1L) << 30, (long) gpu.memoryGib() << 30));
  }

  /** Left to Compute Engine, many families start from a hard disk. */
  @Test
  void everyMachineTypeHasPricedBootDisk() {
    assertThat(MachineTypes.all())
        .allSatisfy(type ->
            assertThat(BootDisk.usualType(type.type()).flatMap(BootDisk::ofGib))
                .as(type.type())
                .isPresent());
    assertThat(MachineTypes.all().stream().map(type -> BootDisk.usualType(type.type())).distinct())
        .containsExactlyInAnyOrder(Optional.of("pd-balanced"), Optional.of("hyperdisk-balanced"));
  }

  @Test
  void everyFilestoreTierHasPrice() {
    assertThat(StorageSource.Tier.values())
        .allSatisfy(tier -> assertThat(StoragePrices.ofGib(tier).usd()).isPositive());
    assertThat(StoragePrices.of(StorageSource.Tier.BASIC_HDD, 1024).usd()).isEqualTo(163.84);
  }

  @Test
  void noListedTypeIsUnusable() {
    assertThat(
            Stream.concat(
                MachineTypes.all().stream().map(CatalogEntry::type),
                TpuTypes.all().stream().map(TpuTypes.Tpu::type)))
        .allMatch(type -> MachineTypes.unusable(type).isEmpty());
  }

  private static List<String> families() {
    return MachineTypes.all().stream().map(CatalogEntry::family).distinct().toList();
  }
}
