package dev.mayfly.gcp.tpu;

import dev.mayfly.core.port.Fleet;

/** Makes the adapter of {@link Fleet} that orders machines from Cloud TPU. */
public final class CloudTpu {
  private CloudTpu() {}

  /** Connects at the first call, not before; one fleet serves a whole process, from any thread. */
  public static Fleet fleet(TpuSettings settings) {
    return new TpuFleet(settings, new TpuClients(settings.endpoint()));
  }

  /**
   * One fleet out of two: orders go to the one that has such machines, by the pool's machine type;
   * whatever names a machine asks Compute Engine first.
   */
  public static Fleet beside(Fleet compute, Fleet tpu) {
    return new Fleets(compute, tpu);
  }
}
