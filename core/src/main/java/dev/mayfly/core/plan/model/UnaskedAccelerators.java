package dev.mayfly.core.plan.model;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;

/** Machines with GPUs or TPUs that get tasks which ask for none, once other pools are full. */
public final class UnaskedAccelerators {
  private UnaskedAccelerators() {}

  /** Whether the pool's machines have some that a task with these needs does not ask for. */
  public static boolean has(PoolSpec pool, Resources need) {
    return hasGpus(pool, need) || (pool.visible().tpuChips() > 0 && need.tpuChips() == 0);
  }

  private static boolean hasGpus(PoolSpec pool, Resources need) {
    return pool.visible().gpuMillis() > 0 && !need.needsGpu();
  }

  /** Appended to why machines of the pool are launched for such tasks; otherwise empty. */
  public static String why(PoolSpec pool, Resources need) {
    return has(pool, need)
        ? " on machines without %s".formatted(hasGpus(pool, need) ? "GPUs" : "TPUs")
        : "";
  }
}
