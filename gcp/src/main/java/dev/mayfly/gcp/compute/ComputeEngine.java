package dev.mayfly.gcp.compute;

import dev.mayfly.core.port.Fleet;

/** Makes the adapter of {@link Fleet} that orders machines from Compute Engine. */
public final class ComputeEngine {
  private ComputeEngine() {}

  /** Connects at the first call, not before; one fleet serves a whole process, from any thread. */
  public static Fleet fleet(ComputeSettings settings) {
    return new ComputeFleet(settings, new ComputeClients(settings.standIn()));
  }
}
