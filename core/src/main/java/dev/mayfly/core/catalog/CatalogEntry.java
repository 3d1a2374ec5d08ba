package dev.mayfly.core.catalog;

import dev.mayfly.core.model.Resources;
import java.util.Optional;

/**
 * One machine type or TPU type, as a list of them shows it.
 *
 * @param host all that one machine has, or one host of a slice
 * @param hosts 1 but for a slice
 * @param gpuModel Compute Engine's accelerator type of the GPUs that it brings
 * @param topology how the chips of a TPU are laid out
 */
public record CatalogEntry(
    String type, Resources host, int hosts, Optional<String> gpuModel, Optional<String> topology) {
  static CatalogEntry of(TpuTypes.Tpu tpu) {
    return new CatalogEntry(
        tpu.type(), tpu.host(), tpu.hosts(), Optional.empty(), Optional.of(tpu.topology()));
  }

  static CatalogEntry machine(String type, Resources has, Optional<String> gpuModel) {
    return new CatalogEntry(type, has, 1, gpuModel, Optional.empty());
  }

  /** What its name begins with: {@code n2}, {@code v5p}. */
  public String family() {
    return familyOf(type);
  }

  /** What a type's name begins with, whether it is known or not. */
  public static String familyOf(String type) {
    var end = type.indexOf('-');
    return end < 0 ? type : type.substring(0, end);
  }

  public long gpus() {
    return host.gpuMillis() / 1000;
  }

  /** Of all hosts. */
  public long chips() {
    return host.tpuChips() * hosts;
  }
}
