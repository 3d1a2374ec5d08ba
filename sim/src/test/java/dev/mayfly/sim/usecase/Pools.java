package dev.mayfly.sim.usecase;

import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.util.List;

/** Pools of small machines. */
final class Pools {
  private Pools() {}

  static PoolSpec named(String name, String... zones) {
    return new PoolSpec(
        name,
        "n2-standard-2",
        Resources.cpu(2, 8L << 30),
        zones.length == 0 ? List.of("us-a") : List.of(zones),
        Provisioning.SPOT,
        0,
        8,
        Duration.ofMinutes(10),
        Duration.ofHours(24));
  }
}
