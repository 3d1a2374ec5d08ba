package dev.mayfly.core.port;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.text.OneLine;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Orders and deletes machines. No method waits for the cloud to finish. Every method may throw
 * {@link dev.mayfly.core.error.UnavailableException}; an order or a delete that throws it may have
 * taken effect.
 */
public interface Fleet {
  /** Orders a machine. A repeated order never makes a second machine, even after a lost reply. */
  Ordered order(Order order);

  /**
   * The progress of an accepted order; empty when the cloud no longer knows the operation, which
   * proves neither success nor failure: {@link #find} decides then.
   */
  Optional<Progress> progress(CloudMachine.Name name, String operation);

  /** The machine as the cloud has it now; empty if the cloud knows none of that name. */
  Optional<CloudMachine> find(CloudMachine.Name name);

  /**
   * Requests deletion, disks included. True: requested, perhaps not for the first time. False: the
   * machine does not exist, which alone proves that it is gone.
   */
  boolean delete(CloudMachine.Name name);

  /**
   * Why the pool's machines cannot run containers. Decided from the cluster alone, without a call.
   * Empty if they can, if they install an engine because the cluster names an image, or if it is
   * not known.
   */
  default Optional<String> whyNoContainers(ClusterSpec cluster, PoolSpec pool) {
    return Optional.empty();
  }

  /**
   * Why the pool's machines cannot mount what the cluster defines for them, with the remedy.
   * Decided from the cluster and the deployment alone, without a call. Empty if they can, or if it
   * is not known.
   */
  default Optional<String> whyUnmounted(ClusterSpec cluster, PoolSpec pool) {
    return Optional.empty();
  }

  /**
   * Why tasks on the pool's machines cannot be given the right to submit jobs, with the remedy.
   * Decided from the pool and the deployment alone, without a call. Empty if they can, or if it is
   * not known.
   */
  default Optional<String> whyNoSubmitters(PoolSpec pool) {
    return Optional.empty();
  }

  /**
   * Every machine with Mayfly's cluster label, of every cluster. A zone that does not answer makes
   * the inventory incomplete and is no error.
   */
  Inventory list();

  /**
   * Disks and addresses with Mayfly's cluster label that, according to the cloud, no machine uses,
   * and all placement policies of Mayfly's clusters, whether machines use them or not. Empty for a
   * fleet whose machines leave nothing behind.
   */
  default List<Leftover> leftovers() {
    return List.of();
  }

  /**
   * Requests deletion of a leftover. True: requested, perhaps not for the first time. False: it
   * does not exist, a machine uses it, or it is not Mayfly's.
   */
  default boolean delete(Leftover leftover) {
    return false;
  }

  /**
   * A resource that may stay without a machine.
   *
   * @param place its zone, or the region of an address or a policy
   * @param labels its own; of a policy, which has none, the cluster's
   */
  record Leftover(
      Leftover.Kind kind,
      String place,
      String name,
      Map<String, String> labels,
      Instant createdAt) {
    public Leftover {
      labels = Map.copyOf(labels);
    }

    public enum Kind {
      DISK,
      ADDRESS,
      /** Costs nothing, but a project may have only so many. */
      PLACEMENT_POLICY
    }
  }

  /**
   * What to launch.
   *
   * @param labels at least {@link CloudMachine#CLUSTER}, {@link CloudMachine#POOL} and {@link
   *     CloudMachine#WORKER}
   * @param metadata what the machine's agent reads when it starts
   * @param requestId a UUID derived from the intent, so that the cloud recognizes a repeat
   */
  record Order(
      CloudMachine.Name name,
      PoolSpec pool,
      Map<String, String> labels,
      Map<String, String> metadata,
      String requestId) {
    public Order {
      labels = Map.copyOf(labels);
      metadata = Map.copyOf(metadata);
    }
  }

  /** The cloud's answer to an order. */
  sealed interface Ordered {
    record Accepted(String operation) implements Ordered {}

    /** A machine with that name and those labels exists already: adopt it. */
    record Exists(CloudMachine machine) implements Ordered {}

    record Refused(Refusal refusal) implements Ordered {}
  }

  /** The progress of an accepted order. */
  sealed interface Progress {
    record Pending() implements Progress {}

    /**
     * The cloud keeps the order until it has room, which may take any time.
     *
     * @param state the cloud's own word
     */
    record Queued(String state) implements Progress {}

    record Done() implements Progress {}

    record Failed(Refusal refusal) implements Progress {}
  }

  /**
   * Why there is no machine. The planner uses this answer, so it is not an exception.
   *
   * @param code the cloud's own word
   * @param message the cloud's own sentence, in one line of bounded length
   */
  record Refusal(Refusal.Kind kind, String code, String message) {
    private static final int LONGEST_CODE = 100;
    private static final int LONGEST_MESSAGE = 400;

    public Refusal {
      code = OneLine.of(code, LONGEST_CODE);
      message = OneLine.of(message, LONGEST_MESSAGE);
    }

    /**
     * CAPACITY: none left in this zone. QUOTA: our quota is used up. RATE: too many calls. INVALID:
     * the spec must change. DENIED: the rights must change. TRANSIENT: the cloud failed, or its
     * code is unknown: the same order may succeed later.
     */
    public enum Kind {
      CAPACITY,
      QUOTA,
      RATE,
      INVALID,
      DENIED,
      TRANSIENT
    }
  }

  /**
   * The existing machines.
   *
   * @param complete whether every zone answered; an incomplete list is evidence of nothing
   */
  record Inventory(List<CloudMachine> machines, boolean complete, List<String> warnings) {
    public Inventory {
      machines = List.copyOf(machines);
      warnings = List.copyOf(warnings);
    }
  }
}
