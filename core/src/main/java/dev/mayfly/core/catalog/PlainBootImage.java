package dev.mayfly.core.catalog;

import dev.mayfly.core.model.cluster.PoolSpec;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Google's plain operating system images: no container engine, no client of file systems. Those for
 * TPUs of Compute Engine are plain but for their drivers.
 */
public final class PlainBootImage {
  /** What machines without GPUs and TPUs start from if their pool names no image. */
  public static final String USUAL = "projects/debian-cloud/global/images/family/debian-12";

  private static final String TPUS =
      "projects/ubuntu-os-accelerator-images/global/images/(family/)?ubuntu-accel-.*-tpu-.*";

  private static final Pattern PLAIN =
      Pattern.compile(
          "projects/(debian|ubuntu-os|ubuntu-os-pro|centos|rocky-linux|rhel|suse|opensuse)-cloud/.*|"
              + TPUS);

  private static final Pattern INSTALLS =
      Pattern.compile("projects/(debian|ubuntu-os|ubuntu-os-pro)-cloud/.*|" + TPUS);

  private PlainBootImage() {}

  /** What a pool's machines start from, plain or not: the image that it names, or the usual one. */
  public static String of(PoolSpec pool) {
    return pool.machine()
        .image()
        .or(() ->
            MachineTypes.hasGpus(pool)
                ? Optional.of(GpuBootImage.preferred().image())
                : Optional.empty())
        .or(() -> TpuMachine.image(pool.machineType()))
        .orElse(USUAL);
  }

  public static boolean is(String image) {
    return PLAIN.matcher(image).matches();
  }

  /** Whether it is plain, and the agent can install packages on it. */
  public static boolean installs(String image) {
    return INSTALLS.matcher(image).matches();
  }
}
