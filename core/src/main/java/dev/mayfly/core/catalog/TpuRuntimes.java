package dev.mayfly.core.catalog;

import java.util.Map;

/**
 * The runtime version that the hosts of a TPU start from where the pool names none. After
 * docs.cloud.google.com/tpu/docs/runtimes.
 */
public final class TpuRuntimes {
  /** The base of v2 to v4; no newer generation starts from it. */
  public static final String OLDER = "tpu-ubuntu2204-base";

  private static final Map<String, String> NEWER =
      Map.of("v5litepod", "v2-alpha-tpuv5-lite", "v5p", "v2-alpha-tpuv5", "v6e", "v2-alpha-tpuv6e");

  private TpuRuntimes() {}

  /** The base of a generation: {@code v2-alpha-tpuv6e} of {@code v6e}. */
  public static String base(String generation) {
    return NEWER.getOrDefault(generation, OLDER);
  }

  /** Whether hosts of the generation can start from the version, as far as this is known. */
  public static boolean fits(String runtime, String generation) {
    return !(runtime.equals(OLDER) && NEWER.containsKey(generation));
  }
}
