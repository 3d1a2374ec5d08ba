package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.Node;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.mayfly.local.machines.VmHandle;
import dev.mayfly.local.os.DocumentFolder;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Stores nodes as files: the node in Google's JSON, and its hosts' handles. */
final class TpuNodeStore {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final DocumentFolder folder;

  TpuNodeStore(DocumentFolder folder) {
    this.folder = folder;
  }

  List<TpuNode> read() {
    return folder.read().values().stream().map(TpuNodeStore::parsed).toList();
  }

  void write(TpuNode node) {
    try {
      var root =
          JSON.createObjectNode()
              .put("bootAt", node.bootAt().toString())
              .put("network", node.network());
      node.reservation().ifPresent(name -> root.put("reservation", name));
      root.set("node", JSON.readTree(JsonFormat.printer().print(node.node())));
      var traces = root.putArray("traces");
      for (var trace : node.handles())
        traces
            .addObject()
            .put("pid", trace.pid())
            .put("startTicks", trace.startTicks())
            .put("metadataPort", trace.metadataPort());
      folder.write(file(node), JSON.writeValueAsString(root));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("Cannot print node " + node.name(), e);
    }
  }

  void delete(TpuNode node) {
    folder.delete(file(node));
  }

  private static String file(TpuNode node) {
    return Long.toUnsignedString(node.node().getId());
  }

  private static TpuNode parsed(String text) {
    var root = JSON.readTree(text);
    var node = Node.newBuilder();
    try {
      JsonFormat.parser().ignoringUnknownFields().merge(root.path("node").toString(), node);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("A stored TPU node cannot be read: " + text, e);
    }
    var traces = root.path("traces").valueStream().map(TpuNodeStore::trace).toList();
    var network = root.path("network").asInt();
    var reservation = root.path("reservation").asStringOpt();
    return new TpuNode(
        node.build(), network, reservation, Instant.parse(root.path("bootAt").asString()), traces);
  }

  private static VmHandle trace(JsonNode node) {
    return new VmHandle(
        node.path("pid").asLong(),
        node.path("startTicks").asLong(),
        node.path("metadataPort").asInt());
  }
}
