package dev.mayfly.gcp.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.tpu.v2.Node;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.gcp.PoolCases;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The requests to Cloud TPU. */
class NodeRequestsTest {
  private static final MachineSpec MADE = MachineSpec.tpu("v5litepod-1", "tpu-ubuntu2204-base");

  @Test
  void networksHaveFullNames() {
    var network = node(MADE, "global/networks/mayfly", "mayfly").getNetworkConfig();

    assertThat(network.getNetwork()).isEqualTo("projects/lab/global/networks/mayfly");
    assertThat(network.getSubnetwork())
        .isEqualTo("projects/lab/regions/us-west4/subnetworks/mayfly");
    assertThat(network.getEnableExternalIps()).isFalse();
  }

  @Test
  void nodeWithoutNetworkUsesProjectsDefault() {
    var order = order(MADE, Provisioning.SPOT);

    var network =
        NodeRequests.createNode(order, TpuSettings.of("lab")).getNode().getNetworkConfig();

    assertThat(network.getNetwork()).isEmpty();
    assertThat(network.getSubnetwork()).isEmpty();
  }

  @Test
  void secureBootIsNotRequested() {
    assertThat(node(MADE, "mayfly", "mayfly").hasShieldedInstanceConfig()).isFalse();
  }

  @Test
  void queueRequiresAReservation() {
    var unnamed = order(MADE, Provisioning.RESERVED);

    assertThatThrownBy(() -> NodeRequests.createQueuedResource(unnamed, TpuSettings.of("lab")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no reservation");
    assertThat(
            NodeRequests.createNode(unnamed, TpuSettings.of("lab"))
                .getNode()
                .getSchedulingConfig()
                .getReserved())
        .isTrue();
  }

  @Test
  void everyOptionIsInTheRequestOrRefused() {
    var settings = TpuSettings.of("lab");
    var tpu = new MachineSpec.Tpu("v5litepod-8", Optional.empty(), "v2-alpha-tpuv5-lite");

    new PoolCases("v5litepod-8", Optional.of(tpu))
        .eachIsCarriedOutOrRefused(order ->
            NodeRequests.isQueued(order.pool())
                ? NodeRequests.createQueuedResource(order, settings)
                : NodeRequests.createNode(order, settings));
  }

  /** As it is stored from before it was refused. */
  @Test
  void tpuIsNotBoughtOnDemandForFlexStart() {
    var flex = order(MADE, Provisioning.FLEX_START);

    assertThatThrownBy(() -> NodeRequests.createNode(flex, TpuSettings.of("lab")))
        .hasMessageContaining("provisioning: is not for TPUs")
        .hasMessageContaining("write spot, on-demand or reserved");
  }

  private static Node node(MachineSpec made, String network, String subnetwork) {
    var settings =
        new TpuSettings(
            "lab",
            Optional.empty(),
            Optional.empty(),
            Optional.of(network),
            Optional.of(subnetwork),
            Optional.empty(),
            Map.of());
    return NodeRequests.createNode(order(made, Provisioning.SPOT), settings).getNode();
  }

  private static Order order(MachineSpec made, Provisioning how) {
    var pool =
        new PoolSpec(
            "tpu",
            "v5litepod-1",
            Resources.ZERO,
            List.of("us-west4-a"),
            how,
            0,
            1,
            Duration.ofMinutes(10),
            Duration.ofHours(24),
            made);
    return new Order(
        new CloudMachine.Name(CloudMachine.Kind.TPU, "us-west4-a", "lab-tpu-1"),
        pool,
        Map.of(),
        Map.of(),
        "00000000-0000-0000-0000-000000000001");
  }
}
