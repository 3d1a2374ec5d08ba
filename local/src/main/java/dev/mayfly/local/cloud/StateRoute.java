package dev.mayfly.local.cloud;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.tpu.v2.Node;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.cloud.compute.Machines;
import dev.mayfly.local.cloud.dials.Dials;
import dev.mayfly.local.cloud.http.Reply;
import dev.mayfly.local.cloud.tpu.TpuDials;
import java.io.IOException;
import java.util.Comparator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /_sim/state}: what there is, for people. */
final class StateRoute implements HttpHandler {
  static final String PATH = "/_sim/state";

  private static final JsonMapper JSON = JsonMapper.shared();

  private final String project;
  private final Machines machines;
  private final TpuDials tpus;
  private final Dials dials;

  StateRoute(String project, Machines machines, TpuDials tpus, Dials dials) {
    this.project = project;
    this.machines = machines;
    this.tpus = tpus;
    this.dials = dials;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    var root = JSON.createObjectNode().put("project", project);
    var list = root.putArray("machines");
    machines.instances().stream()
        .sorted(Comparator.comparing(Instance::getName))
        .forEach(instance -> describe(list.addObject(), instance));
    var nodes = root.putArray("tpus");
    tpus.nodes().forEach(node -> describe(nodes.addObject(), node));
    var set = root.putObject("dials");
    set.put("bootDelayMs", dials.bootDelay().toMillis());
    dials.cpuQuota().ifPresent(cpus -> set.put("cpuQuota", cpus));
    set.put("bareRefusals", dials.bareRefusals());
    var quotas = set.putObject("quota");
    dials.quotas().forEach(quotas::put);
    var stock = set.putObject("stock");
    dials.stock().forEach(stock::put);
    Reply.json(exchange, 200, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root));
  }

  private static void describe(ObjectNode json, Node node) {
    json.put("name", last(node.getName()))
        .put("id", Long.toUnsignedString(node.getId()))
        .put("zone", node.getName().split("/", -1)[3])
        .put("acceleratorType", node.getAcceleratorType())
        .put("state", node.getState().name())
        .put("spot", node.getSchedulingConfig().getSpot());
    var labels = json.putObject("labels");
    node.getLabelsMap().forEach(labels::put);
  }

  private static void describe(ObjectNode node, Instance instance) {
    node.put("name", instance.getName())
        .put("id", Long.toUnsignedString(instance.getId()))
        .put("zone", last(instance.getZone()))
        .put("machineType", last(instance.getMachineType()))
        .put("status", instance.getStatus())
        .put("provisioning", instance.getScheduling().getProvisioningModel())
        .put("created", instance.getCreationTimestamp());
    var labels = node.putObject("labels");
    instance.getLabelsMap().forEach(labels::put);
  }

  private static String last(String link) {
    return link.substring(link.lastIndexOf('/') + 1);
  }
}
