package dev.mayfly.gcp.tpu;

import com.google.cloud.tpu.v2.Node;
import dev.mayfly.core.port.Machine;
import java.time.Instant;

/** Cloud TPU's nodes in Mayfly's words. */
final class Nodes {
  private Nodes() {}

  static Machine machine(Node node) {
    var steps = node.getName().split("/", -1);
    var created = node.getCreateTime();
    return new Machine(
        new Machine.Name(Machine.Kind.TPU, steps[3], steps[5]),
        Long.toUnsignedString(node.getId()),
        status(node.getState()),
        node.getLabelsMap(),
        Instant.ofEpochSecond(created.getSeconds(), created.getNanos()));
  }

  /** A node that is dead keeps its name and its quota until it is deleted. */
  private static Machine.Status status(Node.State state) {
    return switch (state) {
      case CREATING, STARTING -> Machine.Status.STARTING;
      case READY, RESTARTING, REIMAGING -> Machine.Status.RUNNING;
      case DELETING, STOPPING, HIDING -> Machine.Status.STOPPING;
      case PREEMPTED, TERMINATED, STOPPED, HIDDEN -> Machine.Status.STOPPED;
      case REPAIRING, UNHIDING, UNKNOWN, STATE_UNSPECIFIED, UNRECOGNIZED -> Machine.Status.UNKNOWN;
    };
  }
}
