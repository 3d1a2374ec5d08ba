package dev.mayfly.core.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A version of CUDA that a container image may have. After {@code cuda.csv}, which names its
 * source.
 *
 * @param version major and minor, for example {@code 12.4}
 * @param base NVIDIA's public image with it
 * @param driver the branch of NVIDIA's driver that came with it
 * @param least the oldest branch on which it runs, without the newest features
 */
public record CudaVersion(String version, String base, int driver, int least) {
  private static final Map<String, CudaVersion> ALL =
      CatalogTable.read("cuda.csv", "cuda", "base", "driver", "least", "source")
          .index(
              row -> row.word("cuda"),
              row ->
                  new CudaVersion(
                      row.word("cuda"), row.word("base"), row.whole("driver"), row.whole("least")));

  /** How a version runs with a driver. */
  public enum Fit {
    FULL,
    /** By minor version compatibility: what came with its own driver is missing. */
    REDUCED,
    NONE
  }

  public static Optional<CudaVersion> of(String version) {
    return Optional.ofNullable(ALL.get(version));
  }

  /** All versions, oldest first. */
  public static List<String> versions() {
    return List.copyOf(ALL.keySet());
  }

  /** How it runs on machines with a driver of this branch. */
  public Fit on(int branch) {
    if (branch >= driver) return Fit.FULL;
    return branch >= least ? Fit.REDUCED : Fit.NONE;
  }
}
