package dev.mayfly.core.gang;

import dev.mayfly.core.model.GangOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a task of a gang learns of its peers, as environment variables: Mayfly's own, and those that
 * libtpu, JAX and PyTorch document.
 */
public final class GangEnvironment {
  /** Where rank 0 listens for the others: what JAX uses on TPU slices by itself. */
  public static final int PORT = 8476;

  private GangEnvironment() {}

  /**
   * @param slice whether the hosts are those of one TPU slice
   */
  public static Map<String, String> of(GangOrder order, boolean slice) {
    var rank = Integer.toString(order.rank());
    var size = Integer.toString(order.hosts().size());
    var hosts = String.join(",", order.hosts());
    var first = order.hosts().getFirst();
    var env = new LinkedHashMap<String, String>();
    env.put("MAYFLY_RANK", rank);
    env.put("MAYFLY_WORLD_SIZE", size);
    env.put("MAYFLY_HOSTS", hosts);
    env.put("MAYFLY_COORDINATOR", first);
    env.put("JAX_COORDINATOR_ADDRESS", first + ":" + PORT);
    if (slice) {
      env.put("TPU_WORKER_ID", rank);
      env.put("TPU_WORKER_HOSTNAMES", hosts);
    } else {
      env.put("MASTER_ADDR", first);
      env.put("MASTER_PORT", Integer.toString(PORT));
      env.put("RANK", rank);
      env.put("WORLD_SIZE", size);
    }
    return env;
  }
}
