package dev.mayfly.gcp.tpu;

import dev.mayfly.core.port.Fleet;

/** Creates the adapter of {@link Fleet} that orders machines from Cloud TPU. */
public final class CloudTpu {
  private CloudTpu() {}

  /** Connects at the first call. One fleet serves a whole process and is thread-safe. */
  public static Fleet fleet(TpuSettings settings) {
    return new TpuFleet(settings, new TpuClients(settings.standIn()));
  }
}
