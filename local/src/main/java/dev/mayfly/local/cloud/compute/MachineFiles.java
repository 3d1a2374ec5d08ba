package dev.mayfly.local.cloud.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.mayfly.local.cloud.files.DocumentFolder;
import dev.mayfly.local.cloud.vm.VmTrace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps machines as files: the instance in Google's JSON, and beside it what only this cloud knows.
 */
final class MachineFiles {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final DocumentFolder folder;

  MachineFiles(DocumentFolder folder) {
    this.folder = folder;
  }

  List<Machine> read() {
    return folder.read().values().stream().map(MachineFiles::parsed).toList();
  }

  void write(Machine machine) {
    var root = JSON.createObjectNode().put("bootAt", machine.bootAt().toString());
    root.set("instance", JSON.readTree(ProtoJson.print(machine.instance())));
    machine
        .trace()
        .ifPresent(trace ->
            root.putObject("trace")
                .put("pid", trace.pid())
                .put("startTicks", trace.startTicks())
                .put("metadataPort", trace.metadataPort()));
    machine
        .fate()
        .ifPresent(fate ->
            root.putObject("fate")
                .put("cause", fate.cause().name())
                .put("at", fate.at().toString()));
    folder.write(machine.id(), JSON.writeValueAsString(root));
  }

  void delete(Machine machine) {
    folder.delete(machine.id());
  }

  private static Machine parsed(String text) {
    var root = JSON.readTree(text);
    try {
      var instance = ProtoJson.parse(root.path("instance").toString(), Instance.newBuilder());
      return new Machine(
          instance.build(),
          Instant.parse(root.path("bootAt").asString()),
          present(root, "trace").map(MachineFiles::trace),
          present(root, "fate").map(MachineFiles::fate));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("A stored machine cannot be read: " + text, e);
    }
  }

  private static Optional<JsonNode> present(JsonNode root, String field) {
    return Optional.of(root.path(field)).filter(JsonNode::isObject);
  }

  private static VmTrace trace(JsonNode node) {
    return new VmTrace(
        node.path("pid").asLong(),
        node.path("startTicks").asLong(),
        node.path("metadataPort").asInt());
  }

  private static Fate fate(JsonNode node) {
    return new Fate(
        Fate.Cause.valueOf(node.path("cause").asString()),
        Instant.parse(node.path("at").asString()));
  }
}
