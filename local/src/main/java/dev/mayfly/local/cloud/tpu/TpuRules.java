package dev.mayfly.local.cloud.tpu;

import com.google.cloud.tpu.v2.CreateNodeRequest;
import com.google.cloud.tpu.v2.Node;
import dev.mayfly.core.plan.TpuTypes;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.regex.Pattern;

/** What Cloud TPU refuses in a request, each time with INVALID_ARGUMENT and the field's name. */
final class TpuRules {
  private static final Pattern PARENT = Pattern.compile("projects/[^/]+/locations/[^/]+");
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern LABEL_KEY = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern LABEL_VALUE = Pattern.compile("[a-z0-9_-]{0,63}");

  private TpuRules() {}

  /** Checks a request, and returns the node with its accelerator type filled in. */
  static Node check(CreateNodeRequest request) {
    demand(PARENT.matcher(request.getParent()).matches(), "parent", request.getParent());
    demand(NAME.matcher(request.getNodeId()).matches(), "node_id", request.getNodeId());
    var node = request.getNode();
    demand(!node.getRuntimeVersion().isEmpty(), "node.runtime_version", "");
    node.getLabelsMap()
        .forEach((key, value) -> {
          demand(LABEL_KEY.matcher(key).matches(), "node.labels", key);
          demand(LABEL_VALUE.matcher(value).matches(), "node.labels", value);
        });
    var type = node.getAcceleratorType();
    demand(TpuTypes.of(type).isPresent(), "node.accelerator_type", type);
    return node;
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
