package dev.mayfly.gcp.tpu;

import com.google.cloud.tpu.v2.CreateNodeRequest;
import com.google.cloud.tpu.v2.NetworkConfig;
import com.google.cloud.tpu.v2.Node;
import com.google.cloud.tpu.v2.SchedulingConfig;
import com.google.cloud.tpu.v2.ServiceAccount;
import com.google.cloud.tpu.v2.ShieldedInstanceConfig;
import dev.mayfly.core.model.MachineSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.plan.TpuTypes;
import dev.mayfly.core.port.Fleet.Order;
import java.util.Map;

/** An order in Cloud TPU's words. */
final class NodeOrder {
  /** After cloud.google.com/tpu/docs/runtimes. */
  private static final Map<String, String> RUNTIMES =
      Map.of("v5litepod", "v2-alpha-tpuv5-lite", "v5p", "v2-alpha-tpuv5", "v6e", "v2-alpha-tpuv6e");

  private static final String OLDER = "tpu-ubuntu2204-base";
  private static final String SCOPE = "https://www.googleapis.com/auth/cloud-platform";

  private NodeOrder() {}

  /**
   * @throws IllegalArgumentException when the pool's machine type is no TPU
   */
  static CreateNodeRequest of(Order order, TpuSettings settings) {
    return CreateNodeRequest.newBuilder()
        .setParent("projects/" + settings.project() + "/locations/" + order.name().zone())
        .setNodeId(order.name().name())
        .setNode(node(order, settings))
        .build();
  }

  private static Node node(Order order, TpuSettings settings) {
    var made = order.pool().machine();
    var type = made.tpu().map(MachineSpec.Tpu::type).orElse(order.pool().machineType());
    var tpu =
        TpuTypes.of(type)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "'%s' is no TPU type that Mayfly knows; v4-8 is one".formatted(type)));
    var how = order.pool().provisioning();
    var node =
        Node.newBuilder()
            .setAcceleratorType(type)
            .setRuntimeVersion(runtime(made, tpu, settings))
            .setSchedulingConfig(
                SchedulingConfig.newBuilder()
                    .setSpot(how == Provisioning.SPOT)
                    .setReserved(how == Provisioning.RESERVED))
            .setNetworkConfig(network(made, settings))
            .setShieldedInstanceConfig(
                ShieldedInstanceConfig.newBuilder().setEnableSecureBoot(true))
            .putAllLabels(order.labels())
            .putAllMetadata(settings.metadata())
            .putAllMetadata(order.metadata());
    settings.serviceAccount().map(NodeOrder::account).ifPresent(node::setServiceAccount);
    return node.build();
  }

  /** What the pool says; the old base that pools have by default does not fit a newer TPU. */
  private static String runtime(MachineSpec made, TpuTypes.Tpu tpu, TpuSettings settings) {
    return made.tpu()
        .map(MachineSpec.Tpu::runtime)
        .filter(told -> !told.equals(OLDER))
        .or(settings::runtime)
        .orElseGet(() -> RUNTIMES.getOrDefault(tpu.generation(), OLDER));
  }

  private static NetworkConfig network(MachineSpec made, TpuSettings settings) {
    var network = NetworkConfig.newBuilder().setEnableExternalIps(false);
    made.network().or(settings::network).ifPresent(network::setNetwork);
    made.subnetwork().or(settings::subnetwork).ifPresent(network::setSubnetwork);
    return network.build();
  }

  private static ServiceAccount account(String email) {
    return ServiceAccount.newBuilder().setEmail(email).addScope(SCOPE).build();
  }
}
