package dev.mayfly.gcp.compute;

import dev.mayfly.core.port.Fleet;

/** Makes the adapter of {@link Fleet} that orders machines from Compute Engine. */
public final class ComputeEngine {
  private ComputeEngine() {}

  /** Connects at the first call. One fleet serves a whole process and is thread-safe. */
  public static Fleet fleet(ComputeSettings settings) {
    return new ComputeFleet(settings, new ComputeClients(settings.standIn()));
  }
}
