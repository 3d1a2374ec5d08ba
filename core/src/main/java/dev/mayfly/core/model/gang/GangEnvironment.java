package dev.mayfly.core.model.gang;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a task of a gang learns of its peers, as environment variables: Mayfly's own, and those that
 * libtpu, JAX and PyTorch document. {@code docs/tasks.md} lists them.
 */
public final class GangEnvironment {
  /** Where rank 0 of a slice listens for the others: what JAX uses there by itself. */
  public static final int SLICE_PORT = 8476;

  /** Ports of gangs: above those of well-known services, below those that Linux hands out. */
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
    // Otherwise it binds to all addresses, which simulated machines share.
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
   * Two gangs may share a machine, so each run has a port of its own. All members derive it from
   * what they know alike; a run whose port is taken all the same fails, and the next has another.
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
