package dev.mayfly.gcp.tpu;

import com.google.cloud.tpu.v2.Node;
import com.google.cloud.tpu.v2.QueuedResource;
import com.google.cloud.tpu.v2.QueuedResourceState;
import dev.mayfly.core.port.Machine;
import java.time.Instant;
import java.util.Map;

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

  /** A request whose node is not there: not yet, or not any more. */
  static Machine machine(QueuedResource queued) {
    var steps = queued.getName().split("/", -1);
    var created = queued.getCreateTime();
    return new Machine(
        new Machine.Name(Machine.Kind.TPU, steps[3], steps[5]),
        steps[5],
        status(queued.getState().getState()),
        queued.getTpu().getNodeSpecCount() == 0
            ? Map.of()
            : queued.getTpu().getNodeSpec(0).getNode().getLabelsMap(),
        Instant.ofEpochSecond(created.getSeconds(), created.getNanos()));
  }

  private static Machine.Status status(QueuedResourceState.State state) {
    return switch (state) {
      case CREATING, ACCEPTED, WAITING_FOR_RESOURCES, PROVISIONING -> Machine.Status.STARTING;
      case DELETING -> Machine.Status.STOPPING;
      case FAILED, SUSPENDING, SUSPENDED -> Machine.Status.STOPPED;
      // Its node was not there a moment ago.
      case ACTIVE, STATE_UNSPECIFIED, UNRECOGNIZED -> Machine.Status.UNKNOWN;
    };
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
