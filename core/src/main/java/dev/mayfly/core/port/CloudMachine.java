package dev.mayfly.core.port;

import java.time.Instant;
import java.util.Map;

/**
 * A machine as the cloud lists it.
 *
 * @param id the cloud's own number; a name may be used again, this not
 */
public record CloudMachine(
    Name name, String id, Status status, Map<String, String> labels, Instant createdAt) {
  public CloudMachine {
    labels = Map.copyOf(labels);
  }

  /**
   * Which machine.
   *
   * @param kind by which of the cloud's services it is reached
   */
  public record Name(Kind kind, String zone, String name) {
    public Name(String zone, String name) {
      this(Kind.VM, zone, name);
    }
  }

  /** A VM of Compute Engine; or a Cloud TPU node with the queued resource that asked for it. */
  public enum Kind {
    VM,
    TPU
  }

  /**
   * STARTING: ordered, not yet running. STOPPED: TERMINATED, STOPPED or SUSPENDED; it bills for its
   * disk.
   */
  public enum Status {
    STARTING,
    RUNNING,
    STOPPING,
    STOPPED,
    UNKNOWN
  }

  /** The label that says whose it is: the cluster's uid. Nothing without it is ever touched. */
  public static final String CLUSTER = "mayfly-cluster";

  /** Whom the cluster's file names, for bills by label; no such label if it names nobody. */
  public static final String OWNER = "mayfly-owner";

  public static final String POOL = "mayfly-pool";
  public static final String WORKER = "mayfly-worker";
}
