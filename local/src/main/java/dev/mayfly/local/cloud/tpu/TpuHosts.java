package dev.mayfly.local.cloud.tpu;

import com.google.cloud.tpu.v2.NetworkEndpoint;
import com.google.cloud.tpu.v2.Node;
import dev.mayfly.core.plan.TpuTypes;
import dev.mayfly.core.plan.TpuTypes.Tpu;
import dev.mayfly.local.cloud.vm.VmSpec;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;

/** The VMs of a node, and what each is told about itself and the others. */
final class TpuHosts {
  /** All hosts live on one laptop, and this is where one reaches another. */
  private static final String ADDRESS = "127.0.0.1";

  private TpuHosts() {}

  static Tpu tpu(Node node) {
    return TpuTypes.of(node.getAcceleratorType()).orElseThrow();
  }

  static List<VmSpec> of(Node node, String project) {
    return IntStream.range(0, tpu(node).hosts()).mapToObj(i -> host(node, project, i)).toList();
  }

  static List<NetworkEndpoint> endpoints(int hosts) {
    return Collections.nCopies(
        hosts, NetworkEndpoint.newBuilder().setIpAddress(ADDRESS).setPort(8470).build());
  }

  private static VmSpec host(Node node, String project, int number) {
    var tpu = tpu(node);
    var id = Long.toUnsignedString(node.getId());
    var account = node.getServiceAccount().getEmail();
    var attributes = new HashMap<>(node.getMetadataMap());
    attributes.put("agent-worker-number", Integer.toString(number));
    attributes.put("accelerator-type", tpu.type());
    attributes.put("worker-network-endpoints", networkEndpoints(tpu.hosts()));
    attributes.put("tpu-env", environment(node, tpu, number));
    attributes.put("instance-id", TpuNode.last(node.getName()));
    return new VmSpec(
        // The first host speaks for the node; its number is the node's.
        number == 0 ? id : id + "-" + number,
        "t1v-n-%s-w-%d".formatted(Long.toHexString(node.getId()), number),
        TpuNode.zone(node.getName()),
        project,
        "ct-" + tpu.generation(),
        (int) (tpu.host().cpuMillis() / 1000),
        tpu.host().memoryBytes() >> 20,
        account.isEmpty() ? "default@" + project + ".iam.gserviceaccount.com" : account,
        isSpot(node),
        attributes);
  }

  static boolean isSpot(Node node) {
    return node.getSchedulingConfig().getSpot() || node.getSchedulingConfig().getPreemptible();
  }

  /** The address is the third of a host's colon-separated fields. */
  private static String networkEndpoints(int hosts) {
    return String.join(",", Collections.nCopies(hosts, "unknown:unknown:" + ADDRESS));
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
            tpu.topology(),
            number,
            TpuNode.last(node.getName()),
            TpuNode.zone(node.getName()));
  }
}
