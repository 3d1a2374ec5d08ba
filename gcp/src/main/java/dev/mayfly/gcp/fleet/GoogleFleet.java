package dev.mayfly.gcp.fleet;

import dev.mayfly.core.catalog.MountClients;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.port.Fleet;
import java.util.Optional;
import java.util.function.BiFunction;

/** Joins the services of Google that make machines into one {@link Fleet}. */
public final class GoogleFleet {
  private GoogleFleet() {}

  /** One fleet of both; a machine's name selects the service. */
  public static Fleet of(Fleet compute, Fleet tpu) {
    return of(compute, tpu, MountClients::whyUnmounted);
  }

  /**
   * The same with machines that do not start from Google's images.
   *
   * @param whyUnmounted as {@link Fleet#whyUnmounted}
   */
  public static Fleet of(
      Fleet compute, Fleet tpu, BiFunction<ClusterSpec, PoolSpec, Optional<String>> whyUnmounted) {
    return new CombinedFleet(compute, tpu, whyUnmounted);
  }
}
