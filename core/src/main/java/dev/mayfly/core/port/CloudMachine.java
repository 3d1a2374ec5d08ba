package dev.mayfly.core.port;

import java.time.Instant;
import java.util.Map;

/**
 * A machine as the cloud lists it.
 *
 * @param id the cloud's own number; unlike a name it is never reused
 */
public record CloudMachine(
    Name name, String id, Status status, Map<String, String> labels, Instant createdAt) {
  public CloudMachine {
    labels = Map.copyOf(labels);
  }

  /**
   * Identifies a machine.
   *
   * @param kind the cloud service that serves the machine
   */
  public record Name(Kind kind, String zone, String name) {
    public Name(String zone, String name) {
      this(Kind.VM, zone, name);
    }
  }

  /** A VM of Compute Engine, or a Cloud TPU node with its queued resource. */
  public enum Kind {
    VM,
    TPU
  }

  /**
   * QUEUED: ordered, and the cloud keeps the order until it has room. STARTING: being made.
   * STOPPED: TERMINATED, STOPPED or SUSPENDED; its disk is still billed.
   */
  public enum Status {
    QUEUED,
    STARTING,
    RUNNING,
    STOPPING,
    STOPPED,
    UNKNOWN
  }

  /** The label with the cluster's uid. Mayfly never touches a machine without it. */
  public static final String CLUSTER = "mayfly-cluster";

  /**
   * Whom the machine is for, for bills by label: the owner of the job that it was launched for, or
   * else the one in the cluster's file; absent if there is neither.
   */
  public static final String OWNER = "mayfly-owner";

  /**
   * The name of the job that the machine was launched for, for bills by label; absent from a warm
   * minimum. The machine may run tasks of other jobs later.
   */
  public static final String JOB = "mayfly-job";

  public static final String POOL = "mayfly-pool";
  public static final String WORKER = "mayfly-worker";
}
