package dev.mayfly.local.cloud;

import com.google.cloud.compute.v1.AttachedDisk;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.tpu.v2.Node;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestHandler;
import dev.mayfly.local.machines.FaultControls;
import dev.mayfly.local.machines.compute.ComputeMachines;
import dev.mayfly.local.machines.tpu.TpuFaultControls;
import java.io.IOException;
import java.util.Comparator;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /_sim/state}: the state of the cloud, for people. */
final class CloudStateHandler implements RestHandler {
  static final String PATH = "/_sim/state";

  private final String project;
  private final ComputeMachines computeMachines;
  private final TpuFaultControls tpus;
  private final FaultControls faultControls;

  CloudStateHandler(
      String project,
      ComputeMachines computeMachines,
      TpuFaultControls tpus,
      FaultControls faultControls) {
    this.project = project;
    this.computeMachines = computeMachines;
    this.tpus = tpus;
    this.faultControls = faultControls;
  }

  @Override
  public void answer(RestCall restCall) throws IOException {
    var root = RestCall.JSON.createObjectNode().put("project", project);
    var list = root.putArray("machines");
    computeMachines.instances().stream()
        .sorted(Comparator.comparing(Instance::getName))
        .forEach(instance -> describe(list.addObject(), instance));
    var nodes = root.putArray("tpus");
    tpus.nodes().forEach(node -> describe(nodes.addObject(), node));
    var set = root.putObject("faultControls");
    set.put("bootDelayMs", faultControls.bootDelay().toMillis());
    faultControls.cpuQuota().ifPresent(cpus -> set.put("cpuQuota", cpus));
    set.put("bareRefusals", faultControls.bareErrors());
    var quotas = set.putObject("quota");
    faultControls.quotas().forEach(quotas::put);
    var stock = set.putObject("stock");
    faultControls.stock().forEach(stock::put);
    restCall.answerJson(
        200, RestCall.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root));
  }

  private static void describe(ObjectNode json, Node node) {
    json.put("name", last(node.getName()))
        .put("id", Long.toUnsignedString(node.getId()))
        .put("zone", node.getName().split("/", -1)[3])
        .put("acceleratorType", node.getAcceleratorType())
        .put("state", node.getState().name())
        .put("spot", node.getSchedulingConfig().getSpot());
    var addresses = json.putArray("addresses");
    node.getNetworkEndpointsList().forEach(host -> addresses.add(host.getIpAddress()));
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
    instance.getNetworkInterfacesList().stream()
        .findFirst()
        .ifPresent(network -> node.put("address", network.getNetworkIP()));
    instance.getDisksList().stream()
        .filter(AttachedDisk::getBoot)
        .map(disk -> disk.getInitializeParams().getSourceImage())
        .filter(image -> !image.isEmpty())
        .forEach(image -> node.put("bootImage", image));
    var policies = node.putArray("resourcePolicies");
    instance.getResourcePoliciesList().forEach(policy -> policies.add(last(policy)));
    var labels = node.putObject("labels");
    instance.getLabelsMap().forEach(labels::put);
  }

  private static String last(String link) {
    return link.substring(link.lastIndexOf('/') + 1);
  }
}
