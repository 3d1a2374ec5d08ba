package dev.mayfly.core.port;

import dev.mayfly.core.model.cluster.PoolSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Orders and deletes machines. Nothing here waits for the cloud to finish. Every method may throw
 * {@link dev.mayfly.core.error.UnavailableException}; an order or a delete that throws it may have
 * been taken.
 */
public interface Fleet {
  /**
   * Orders a machine. Repeating an order, also after a lost reply, never makes a second machine.
   */
  Ordered order(Order order);

  /** How an order that was taken goes on; empty when the cloud no longer knows the operation. */
  Optional<Progress> progress(CloudMachine.Name name, String operation);

  Optional<CloudMachine> find(CloudMachine.Name name);

  /**
   * Asks for the deletion, disks included. True: asked (again). False: the machine is not there,
   * which alone proves that it is gone.
   */
  boolean delete(CloudMachine.Name name);

  /**
   * Why no container can be run on the pool's machines, with the remedy, as far as the pool itself
   * tells: nothing is asked. Empty where one can, or where nobody knows.
   */
  default Optional<String> withoutContainers(PoolSpec pool) {
    return Optional.empty();
  }

  /** Every machine with Mayfly's cluster label, of every cluster. */
  Inventory list();

  /**
   * What machines left behind: disks and addresses with Mayfly's cluster label that no machine
   * uses, as far as the cloud tells. A fleet whose machines leave nothing has none.
   */
  default List<Leftover> leftovers() {
    return List.of();
  }

  /**
   * Asks for the deletion of a leftover. True: asked (again). False: it is not there, a machine
   * uses it by now, or it has no label of Mayfly's.
   */
  default boolean delete(Leftover leftover) {
    return false;
  }

  /**
   * A thing that costs money without a machine.
   *
   * @param place its zone, or the region of an address
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

    /** What it is. */
    public enum Kind {
      DISK,
      ADDRESS
    }
  }

  /**
   * What to launch.
   *
   * @param labels at least {@link CloudMachine#CLUSTER}, {@link CloudMachine#POOL} and {@link
   *     CloudMachine#WORKER}
   * @param metadata what the machine's agent reads at its start
   * @param requestId a UUID derived from the intent, so that the cloud sees a repeat
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

  /** What the cloud said to an order. */
  sealed interface Ordered {
    record Accepted(String operation) implements Ordered {}

    /** A machine of that name and with those labels is there already: adopt it. */
    record Exists(CloudMachine machine) implements Ordered {}

    record Refused(Refusal refusal) implements Ordered {}
  }

  /** How an accepted order stands. */
  sealed interface Progress {
    record Pending() implements Progress {}

    record Done() implements Progress {}

    record Failed(Refusal refusal) implements Progress {}
  }

  /**
   * Why there is no machine: an answer that the planner uses, and so not an exception.
   *
   * @param code the cloud's own word
   */
  record Refusal(Refusal.Kind kind, String code, String message) {
    /**
     * CAPACITY: none left here. QUOTA: not for us. RATE: not so fast. INVALID, DENIED: mend the
     * spec, the rights.
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
   * The machines that are there.
   *
   * @param complete whether every zone answered; a list that is not is evidence of nothing
   */
  record Inventory(List<CloudMachine> machines, boolean complete, List<String> warnings) {
    public Inventory {
      machines = List.copyOf(machines);
      warnings = List.copyOf(warnings);
    }
  }
}
