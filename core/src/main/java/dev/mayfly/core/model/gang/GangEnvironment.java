package dev.mayfly.core.model.gang;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Environment variables that describe a gang to its tasks: Mayfly's own, and those that libtpu, JAX
 * and PyTorch document. {@code docs/tasks.md} lists them.
 */
public final class GangEnvironment {
  /** Where rank 0 of a slice listens for the others; JAX's default there. */
  public static final int SLICE_PORT = 8476;

  /** Context of gangs: above well-known services, below Linux's ephemeral context. */
  static final int FIRST_PORT = 20_000;

  static final int PORTS = 12_000;

  private GangEnvironment() {}

  /**
   * @param slice whether the hosts are those of one TPU slice
   */
  public static Map<String, String> of(GangOrder order, boolean slice) {
    var rank = Integer.toString(order.rank());
    var size = Integer.toString(order.hosts().size());
    var hosts = String.join(",", order.hosts());
    var first = order.hosts().getFirst();
    var port = slice ? SLICE_PORT : port(order);
    var coordinator = (first.contains(":") ? "[" + first + "]" : first) + ":" + port;
    var env = new LinkedHashMap<String, String>();
    env.put("MAYFLY_RANK", rank);
    env.put("MAYFLY_WORLD_SIZE", size);
    env.put("MAYFLY_HOSTS", hosts);
    env.put("MAYFLY_NODE_IP", order.hosts().get(order.rank()));
    env.put("MAYFLY_COORDINATOR", first);
    env.put("MAYFLY_COORDINATOR_PORT", Integer.toString(port));
    env.put("JAX_COORDINATOR_ADDRESS", coordinator);
    // By default it binds to all addresses, which simulated machines share.
    env.put("JAX_COORDINATOR_BIND_ADDRESS", coordinator);
    if (slice) {
      env.put("TPU_WORKER_ID", rank);
      env.put("TPU_WORKER_HOSTNAMES", hosts);
    } else {
      env.put("MASTER_ADDR", first);
      env.put("MASTER_PORT", Integer.toString(port));
      env.put("RANK", rank);
      env.put("NODE_RANK", rank);
      env.put("WORLD_SIZE", size);
    }
    return env;
  }

  /**
   * Each run has its own port, because two gangs may share a machine. All members derive it from
   * common values. A run whose port is taken fails, and the next run has another port.
   */
  private static int port(GangOrder order) {
    var lease = order.lease();
    long seed = lease.job().hashCode();
    for (long part : new long[] {lease.start(), lease.epoch(), order.run()}) {
      seed = (seed ^ part) * 0x9E37_79B9_7F4A_7C15L;
      seed ^= seed >>> 29;
    }
    return FIRST_PORT + (int) Math.floorMod(seed, (long) PORTS);
  }
}
