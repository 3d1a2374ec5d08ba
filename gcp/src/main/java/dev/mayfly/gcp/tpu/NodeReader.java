package dev.mayfly.gcp.tpu;

import com.google.cloud.tpu.v2.Node;
import com.google.cloud.tpu.v2.QueuedResource;
import com.google.cloud.tpu.v2.QueuedResourceState;
import com.google.protobuf.Timestamp;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.CloudMachine;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;

/** Reads Cloud TPU's nodes. */
final class NodeReader {
  private NodeReader() {}

  /** Throws {@link UnavailableException} for a node that exists but cannot be interpreted. */
  static CloudMachine machine(Node node) {
    return new CloudMachine(
        name(node.getName()),
        Long.toUnsignedString(node.getId()),
        status(node.getState()),
        node.getLabelsMap(),
        created(node.getName(), node.getCreateTime()));
  }

  private static CloudMachine.Name name(String path) {
    var steps = path.split("/", -1);
    if (steps.length != 6)
      throw new UnavailableException(
          "TPU '%s' exists, but its name is not in the form of a TPU's".formatted(path));
    return new CloudMachine.Name(CloudMachine.Kind.TPU, steps[3], steps[5]);
  }

  private static Instant created(String path, Timestamp time) {
    try {
      return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    } catch (DateTimeException e) {
      throw new UnavailableException(
          "TPU %s exists, but its age is unknown: %d s".formatted(path, time.getSeconds()), e);
    }
  }

  /** A queued request without a node, either before or after the node's life. */
  static CloudMachine machine(QueuedResource queued) {
    var name = name(queued.getName());
    return new CloudMachine(
        name,
        name.name(),
        status(queued.getState().getState()),
        queued.getTpu().getNodeSpecCount() == 0
            ? Map.of()
            : queued.getTpu().getNodeSpec(0).getNode().getLabelsMap(),
        created(queued.getName(), queued.getCreateTime()));
  }

  private static CloudMachine.Status status(QueuedResourceState.State state) {
    return switch (state) {
      case CREATING, ACCEPTED, WAITING_FOR_RESOURCES -> CloudMachine.Status.QUEUED;
      case PROVISIONING -> CloudMachine.Status.STARTING;
      case DELETING -> CloudMachine.Status.STOPPING;
      case FAILED, SUSPENDING, SUSPENDED -> CloudMachine.Status.STOPPED;
      // The node did not exist a moment ago.
      case ACTIVE, STATE_UNSPECIFIED, UNRECOGNIZED -> CloudMachine.Status.UNKNOWN;
    };
  }

  /** A dead node keeps its name and quota until it is deleted. */
  private static CloudMachine.Status status(Node.State state) {
    return switch (state) {
      case CREATING, STARTING -> CloudMachine.Status.STARTING;
      case READY, RESTARTING, REIMAGING -> CloudMachine.Status.RUNNING;
      case DELETING, STOPPING, HIDING -> CloudMachine.Status.STOPPING;
      case PREEMPTED, TERMINATED, STOPPED, HIDDEN -> CloudMachine.Status.STOPPED;
      case REPAIRING, UNHIDING, UNKNOWN, STATE_UNSPECIFIED, UNRECOGNIZED ->
          CloudMachine.Status.UNKNOWN;
    };
  }
}
