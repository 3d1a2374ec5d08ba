package dev.mayfly.gcp.fleet;

import dev.mayfly.core.port.Fleet;

/** Joins the services of Google that make machines into one {@link Fleet}. */
public final class GoogleFleet {
  private GoogleFleet() {}

  /** One fleet of both; a machine's name selects the service. */
  public static Fleet of(Fleet compute, Fleet tpu) {
    return new CombinedFleet(compute, tpu);
  }
}
