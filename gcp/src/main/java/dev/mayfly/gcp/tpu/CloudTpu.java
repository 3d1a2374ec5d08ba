package dev.mayfly.gcp.tpu;

import dev.mayfly.core.port.Fleet;

/** Makes the adapter of {@link Fleet} that orders machines from Cloud TPU. */
public final class CloudTpu {
  private CloudTpu() {}

  /** Connects at the first call, not before; one fleet serves a whole process, from any thread. */
  public static Fleet fleet(TpuSettings settings) {
    return new TpuFleet(settings, new TpuClients(settings.standIn()));
  }

  /** One fleet out of two: a machine's name says which of them it is of. */
  public static Fleet combine(Fleet compute, Fleet tpu) {
    return new CombinedFleet(compute, tpu);
  }
}
