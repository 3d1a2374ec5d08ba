package dev.mayfly.core.plan;

import dev.mayfly.core.model.Resources;
import java.util.List;

/**
 * What one running job still asks for.
 *
 * @param need what one task takes
 * @param pools the pools that may run it; all when empty
 * @param ready open tasks that nobody holds
 * @param leased open tasks that workers hold, running or not
 */
public record Demand(
    String job, String name, Resources need, List<String> pools, long ready, long leased) {
  public Demand {
    pools = List.copyOf(pools);
  }

  boolean mayUse(String pool) {
    return pools.isEmpty() || pools.contains(pool);
  }
}
