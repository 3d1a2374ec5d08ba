package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.mayfly.local.machines.VmHandle;
import dev.mayfly.local.os.DocumentFolder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores machines as files: the instance in Google's JSON, with this cloud's own state beside it.
 */
final class MachineStore {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final DocumentFolder folder;

  MachineStore(DocumentFolder folder) {
    this.folder = folder;
  }

  List<ComputeMachine> read() {
    return folder.read().values().stream().map(MachineStore::parsed).toList();
  }

  void write(ComputeMachine computeMachine) {
    var root = JSON.createObjectNode().put("bootAt", computeMachine.bootAt().toString());
    root.set("instance", JSON.readTree(ProtoJson.print(computeMachine.instance())));
    computeMachine
        .handle()
        .ifPresent(trace ->
            root.putObject("trace")
                .put("pid", trace.pid())
                .put("startTicks", trace.startTicks())
                .put("metadataPort", trace.metadataPort()));
    computeMachine
        .termination()
        .ifPresent(termination ->
            root.putObject("fate")
                .put("cause", termination.cause().name())
                .put("at", termination.at().toString()));
    folder.write(computeMachine.id(), JSON.writeValueAsString(root));
  }

  void delete(ComputeMachine computeMachine) {
    folder.delete(computeMachine.id());
  }

  private static ComputeMachine parsed(String text) {
    var root = JSON.readTree(text);
    try {
      var instance = ProtoJson.parse(root.path("instance").toString(), Instance.newBuilder());
      return new ComputeMachine(
          instance.build(),
          Instant.parse(root.path("bootAt").asString()),
          present(root, "trace").map(MachineStore::trace),
          present(root, "fate").map(MachineStore::readTermination));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("A stored machine cannot be read: " + text, e);
    }
  }

  private static Optional<JsonNode> present(JsonNode root, String field) {
    return Optional.of(root.path(field)).filter(JsonNode::isObject);
  }

  private static VmHandle trace(JsonNode node) {
    return new VmHandle(
        node.path("pid").asLong(),
        node.path("startTicks").asLong(),
        node.path("metadataPort").asInt());
  }

  private static Termination readTermination(JsonNode node) {
    return new Termination(
        Termination.Cause.valueOf(node.path("cause").asString()),
        Instant.parse(node.path("at").asString()));
  }
}
