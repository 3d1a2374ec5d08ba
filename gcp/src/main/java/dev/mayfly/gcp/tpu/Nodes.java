package dev.mayfly.gcp.tpu;

import com.google.cloud.tpu.v2.Node;
import com.google.cloud.tpu.v2.QueuedResource;
import com.google.cloud.tpu.v2.QueuedResourceState;
import com.google.protobuf.Timestamp;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.port.Machine;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;

/** Cloud TPU's nodes in Mayfly's words. */
final class Nodes {
  private Nodes() {}

  /** Throws {@link Unavailable} for one that is there and whose description nobody understands. */
  static Machine machine(Node node) {
    return new Machine(
        name(node.getName()),
        Long.toUnsignedString(node.getId()),
        status(node.getState()),
        node.getLabelsMap(),
        created(node.getName(), node.getCreateTime()));
  }

  private static Machine.Name name(String path) {
    var steps = path.split("/", -1);
    if (steps.length != 6)
      throw new Unavailable("TPU '%s' is there, and has no name as TPUs have".formatted(path));
    return new Machine.Name(Machine.Kind.TPU, steps[3], steps[5]);
  }

  private static Instant created(String path, Timestamp time) {
    try {
      return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    } catch (DateTimeException e) {
      throw new Unavailable(
          "TPU %s is there, and nobody can tell since when: %d s"
              .formatted(path, time.getSeconds()),
          e);
    }
  }

  /** A request whose node is not there: not yet, or not any more. */
  static Machine machine(QueuedResource queued) {
    var name = name(queued.getName());
    return new Machine(
        name,
        name.name(),
        status(queued.getState().getState()),
        queued.getTpu().getNodeSpecCount() == 0
            ? Map.of()
            : queued.getTpu().getNodeSpec(0).getNode().getLabelsMap(),
        created(queued.getName(), queued.getCreateTime()));
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
