package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.NetworkEndpoint;
import com.google.cloud.tpu.v2.Node;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.catalog.TpuTypes.Tpu;
import dev.mayfly.local.access.LocalAccounts;
import dev.mayfly.local.machines.VmSpec;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The specs of a node's VMs, including their metadata about each other. */
final class TpuHostSpecs {
  /** The number of subnets of 127.0.0.0/8 for nodes. */
  static final int NETWORKS = 250;

  private static final int PORT = 8470;

  private TpuHostSpecs() {}

  static Tpu tpu(Node node) {
    return TpuTypes.of(node.getAcceleratorType()).orElseThrow();
  }

  static List<VmSpec> of(TpuNode node, String project) {
    var addresses = addresses(node);
    return IntStream.range(0, addresses.size())
        .mapToObj(i -> host(node.node(), project, i, addresses))
        .toList();
  }

  static List<NetworkEndpoint> endpoints(TpuNode node) {
    return addresses(node).stream()
        .map(ip -> NetworkEndpoint.newBuilder().setIpAddress(ip).setPort(PORT).build())
        .toList();
  }

  /**
   * Linux accepts all of 127.0.0.0/8 as local, so each host on the laptop has its own address and
   * may listen on any port.
   */
  private static List<String> addresses(TpuNode node) {
    return IntStream.range(0, tpu(node.node()).hosts())
        .mapToObj(i -> "127.%d.%d.%d".formatted(1 + node.network(), i / 250, 1 + i % 250))
        .toList();
  }

  private static VmSpec host(Node node, String project, int number, List<String> addresses) {
    var tpu = tpu(node);
    var id = Long.toUnsignedString(node.getId());
    var account = node.getServiceAccount().getEmail();
    var attributes = new HashMap<>(node.getMetadataMap());
    attributes.put("agent-worker-number", Integer.toString(number));
    attributes.put("accelerator-type", tpu.type());
    attributes.put("worker-network-endpoints", networkEndpoints(addresses));
    attributes.put("tpu-env", environment(node, tpu, number));
    attributes.put("instance-id", TpuNode.last(node.getName()));
    return new VmSpec(
        // The first host represents the node and has its number.
        number == 0 ? id : id + "-" + number,
        "t1v-n-%s-w-%d".formatted(Long.toHexString(node.getId()), number),
        TpuNode.zone(node.getName()),
        project,
        "ct-" + tpu.generation(),
        (int) (tpu.host().cpuMillis() / 1000),
        tpu.host().memoryBytes() >> 20,
        account.isEmpty() ? LocalAccounts.machines(project) : account,
        isSpot(node),
        addresses.get(number),
        attributes,
        List.of());
  }

  static boolean isSpot(Node node) {
    return node.getSchedulingConfig().getSpot() || node.getSchedulingConfig().getPreemptible();
  }

  /** The address is the third of a host's colon-separated fields. */
  private static String networkEndpoints(List<String> addresses) {
    return addresses.stream().map(ip -> "unknown:unknown:" + ip).collect(Collectors.joining(","));
  }

  private static String environment(Node node, Tpu tpu, int number) {
    return """
    ACCELERATOR_TYPE: '%s'
    TOPOLOGY: '%s'
    WORKER_ID: '%d'
    NODE_ID: '%s'
    ZONE: '%s'
    """
        .formatted(
            tpu.type(),
            node.hasAcceleratorConfig()
                ? node.getAcceleratorConfig().getTopology()
                : tpu.topology(),
            number,
            TpuNode.last(node.getName()),
            TpuNode.zone(node.getName()));
  }
}
