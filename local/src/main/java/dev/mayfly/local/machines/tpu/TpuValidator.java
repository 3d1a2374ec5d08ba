package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.CreateNodeRequest;
import com.google.cloud.tpu.v2.CreateQueuedResourceRequest;
import com.google.cloud.tpu.v2.Node;
import com.google.cloud.tpu.v2.QueuedResource;
import dev.mayfly.core.catalog.TpuTypes;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Validates requests like Cloud TPU: refuses with INVALID_ARGUMENT and the field's name. */
final class TpuValidator {
  private static final Pattern PARENT = Pattern.compile("projects/[^/]+/locations/[^/]+");
  private static final Pattern RESERVATION =
      Pattern.compile("projects/[^/]+/locations/[^/]+/reservations/[^/]+");
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern LABEL_KEY = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern LABEL_VALUE = Pattern.compile("[a-z0-9_-]{0,63}");

  private TpuValidator() {}

  /** Checks a request and returns the node with its accelerator type filled in. */
  static Node check(CreateNodeRequest request) {
    return check(request.getParent(), request.getNodeId(), request.getNode(), "node");
  }

  /** Checks a request for one node and returns it with its accelerator type filled in. */
  static QueuedResource check(CreateQueuedResourceRequest request) {
    var parent = request.getParent();
    var id = request.getQueuedResourceId();
    demand(NAME.matcher(id).matches(), "queued_resource_id", id);
    var asked = request.getQueuedResource();
    var specs = asked.getTpu().getNodeSpecList();
    demand(specs.size() == 1, "tpu.node_spec", specs.size() + " nodes; this cloud supports one");
    var spec = specs.getFirst();
    demand(spec.getParent().equals(parent), "tpu.node_spec.parent", spec.getParent());
    var node = check(parent, spec.getNodeId(), spec.getNode(), "tpu.node_spec.node");
    var reservation = asked.getReservationName();
    demand(
        reservation.isEmpty() || RESERVATION.matcher(reservation).matches(),
        "reservation_name",
        reservation);
    return asked.toBuilder()
        .setTpu(QueuedResource.Tpu.newBuilder().addNodeSpec(spec.toBuilder().setNode(node).build()))
        .build();
  }

  private static Node check(String parent, String id, Node node, String path) {
    demand(PARENT.matcher(parent).matches(), "parent", parent);
    demand(NAME.matcher(id).matches(), "node_id", id);
    demand(!node.getRuntimeVersion().isEmpty(), path + ".runtime_version", "");
    node.getLabelsMap()
        .forEach((key, value) -> {
          demand(LABEL_KEY.matcher(key).matches(), path + ".labels", key);
          demand(LABEL_VALUE.matcher(value).matches(), path + ".labels", value);
        });
    if (node.hasAcceleratorConfig()) return shaped(node, path);
    var type = node.getAcceleratorType();
    demand(TpuTypes.of(type).isPresent(), path + ".accelerator_type", type);
    return node;
  }

  /** A generation and a topology also determine a type. */
  private static Node shaped(Node node, String path) {
    demand(node.getAcceleratorType().isEmpty(), path + ".accelerator_type", "beside a config");
    var config = node.getAcceleratorConfig();
    var generation = config.getType().name().toLowerCase(Locale.ROOT).replace("_", "");
    var type = TpuTypes.shaped(generation, config.getTopology());
    demand(type.isPresent(), path + ".accelerator_config", generation + " " + config.getTopology());
    return node.toBuilder().setAcceleratorType(type.orElseThrow().type()).build();
  }

  static StatusRuntimeException taken(String resource) {
    return Status.ALREADY_EXISTS
        .withDescription("Resource '" + resource + "' already exists")
        .asRuntimeException();
  }

  static StatusRuntimeException notFound(String resource) {
    return Status.NOT_FOUND
        .withDescription("Resource '" + resource + "' was not found")
        .asRuntimeException();
  }

  private static void demand(boolean kept, String field, String value) {
    if (!kept) {
      throw Status.INVALID_ARGUMENT
          .withDescription("Invalid value for field '%s': '%s'".formatted(field, value))
          .asRuntimeException();
    }
  }
}
