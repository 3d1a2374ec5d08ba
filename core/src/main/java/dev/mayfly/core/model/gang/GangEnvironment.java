package dev.mayfly.core.model.gang;

import dev.mayfly.core.model.job.TaskEnvironment.GangMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  /** From a gang's port to the one of its ssh servers. */
  private static final int SSH = -10_000;

  private static final int TRIES = 100;

  /** As programs, Python and gRPC say it. */
  private static final Pattern IN_USE =
      Pattern.compile("address already in use|EADDRINUSE|errno:? 98\\b", Pattern.CASE_INSENSITIVE);

  private GangEnvironment() {}

  /** Without a mode. */
  public static Map<String, String> of(GangOrder order, boolean slice) {
    return of(order, slice, Optional.empty(), 0);
  }

  /**
   * @param slice whether the hosts are those of one TPU slice
   * @param mode adds what one framework reads and others could mistake for their own launcher
   * @param gpus of this host's task
   */
  public static Map<String, String> of(
      GangOrder order, boolean slice, Optional<GangMode> mode, int gpus) {
    var rank = Integer.toString(order.rank());
    var size = Integer.toString(order.hosts().size());
    var hosts = String.join(",", order.hosts());
    var first = order.hosts().getFirst();
    var port = port(order, slice);
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
    mode.ifPresent(m -> env.putAll(framework(m, rank, size, coordinator, gpus)));
    if (mode.equals(Optional.of(GangMode.SSH))) {
      env.put("MAYFLY_SSH_PORT", Integer.toString(sshPort(port(order, false))));
      env.put("MAYFLY_SSH_KEYS", String.join("\n", order.publicKeys()));
    }
    return env;
  }

  private static Map<String, String> framework(
      GangMode mode, String rank, String size, String coordinator, int gpus) {
    var env = new LinkedHashMap<String, String>();
    switch (mode) {
      case JAX -> {
        // JAX takes the number of processes from launchers that it knows; this is Open MPI's.
        env.put("OMPI_MCA_orte_hnp_uri", "0.0;tcp://" + coordinator);
        env.put("OMPI_COMM_WORLD_SIZE", size);
        env.put("OMPI_COMM_WORLD_RANK", rank);
        env.put("OMPI_COMM_WORLD_LOCAL_RANK", "0");
        // Otherwise a process of such a launcher uses one of its host's GPUs only.
        if (gpus > 0) env.put("JAX_LOCAL_DEVICE_IDS", numbers(gpus));
      }
      case TORCH -> {
        env.put("LOCAL_RANK", "0");
        env.put("LOCAL_WORLD_SIZE", "1");
      }
      case RAY -> env.put("RAY_ADDRESS", coordinator);
      case SSH -> {}
    }
    return env;
  }

  private static String numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  /** Where rank 0 listens. */
  public static int port(GangOrder order, boolean slice) {
    return slice ? SLICE_PORT : order.port().orElseGet(() -> firstPort(order));
  }

  /** Where the servers of a gang listen that has this port. */
  public static int sshPort(int port) {
    return port + SSH;
  }

  static boolean isGangPort(int port) {
    return port >= FIRST_PORT && port < FIRST_PORT + PORTS;
  }

  /** Ports to try one after the other, the gang's own first. */
  public static List<Integer> candidates(int first) {
    return IntStream.range(0, TRIES)
        .mapToObj(i -> FIRST_PORT + (first - FIRST_PORT + i) % PORTS)
        .toList();
  }

  /**
   * The gang's own port, because two gangs may share a machine. All members derive it from common
   * values, and use it unless rank 0 has found a free one from there on. A run whose port is taken
   * fails, and the next run has another port.
   */
  public static int firstPort(GangOrder order) {
    var lease = order.lease();
    long seed = lease.job().hashCode();
    for (long part : new long[] {lease.start(), lease.epoch(), order.run()}) {
      seed = (seed ^ part) * 0x9E37_79B9_7F4A_7C15L;
      seed ^= seed >>> 29;
    }
    return FIRST_PORT + (int) Math.floorMod(seed, (long) PORTS);
  }

  /**
   * Whether the last words of rank 0 say that another program has the gang's port: then neither the
   * command nor its author is to blame.
   */
  public static boolean lostPort(GangOrder order, boolean slice, String evidence) {
    return order.rank() == 0
        && IN_USE.matcher(evidence).find()
        && Pattern.compile("\\b" + port(order, slice) + "\\b").matcher(evidence).find();
  }
}
