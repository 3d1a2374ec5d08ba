package dev.mayfly.gcp.tpu;

import com.google.cloud.tpu.v2.AcceleratorConfig;
import com.google.cloud.tpu.v2.CreateNodeRequest;
import com.google.cloud.tpu.v2.CreateQueuedResourceRequest;
import com.google.cloud.tpu.v2.NetworkConfig;
import com.google.cloud.tpu.v2.Node;
import com.google.cloud.tpu.v2.QueuedResource;
import com.google.cloud.tpu.v2.SchedulingConfig;
import com.google.cloud.tpu.v2.ServiceAccount;
import dev.mayfly.core.catalog.PoolOption;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.gcp.LoginMetadata;
import dev.mayfly.gcp.NetworkNames;
import java.util.Map;

/** Maps an order to Cloud TPU's requests. */
final class NodeRequests {
  private static final Map<String, AcceleratorConfig.Type> GENERATIONS =
      Map.of(
          "v2", AcceleratorConfig.Type.V2,
          "v3", AcceleratorConfig.Type.V3,
          "v4", AcceleratorConfig.Type.V4,
          "v5litepod", AcceleratorConfig.Type.V5LITE_POD,
          "v5p", AcceleratorConfig.Type.V5P,
          "v6e", AcceleratorConfig.Type.V6E);

  private static final String SCOPE = "https://www.googleapis.com/auth/cloud-platform";

  private NodeRequests() {}

  /**
   * @throws IllegalArgumentException if the pool's machine type is not a TPU, or the pool asks for
   *     what a TPU does not carry out
   */
  static CreateNodeRequest createNode(Order order, TpuSettings settings) {
    return CreateNodeRequest.newBuilder()
        .setParent(parent(order, settings))
        .setNodeId(order.name().name())
        .setNode(node(order, settings))
        .build();
  }

  /**
   * Whether the order goes through the queue: a machine from a named reservation waits there until
   * the reservation has room. Without a name, the node itself is marked as reserved and uses any
   * reservation that fits.
   */
  static boolean isQueued(PoolSpec pool) {
    return pool.provisioning() == Provisioning.RESERVED && pool.machine().reservation().isPresent();
  }

  /**
   * A request through the queue, where it waits until the pool's reservation has room. It has the
   * node's name, so that the two are one machine.
   *
   * @throws IllegalArgumentException as above; also if the pool names no reservation, because a
   *     guaranteed request without one may be bought on demand
   */
  static CreateQueuedResourceRequest createQueuedResource(Order order, TpuSettings settings) {
    var parent = parent(order, settings);
    var name = order.name().name();
    var named =
        order
            .pool()
            .machine()
            .reservation()
            .orElseThrow(
                () -> new IllegalArgumentException(name + " has no reservation to wait for"));
    var spec =
        QueuedResource.Tpu.NodeSpec.newBuilder()
            .setParent(parent)
            .setNodeId(name)
            .setNode(node(order, settings));
    var resource =
        QueuedResource.newBuilder()
            .setTpu(QueuedResource.Tpu.newBuilder().addNodeSpec(spec))
            .setGuaranteed(QueuedResource.Guaranteed.getDefaultInstance())
            .setReservationName(reservation(named, parent));
    return CreateQueuedResourceRequest.newBuilder()
        .setParent(parent)
        .setQueuedResourceId(name)
        .setQueuedResource(resource)
        .setRequestId(order.requestId())
        .build();
  }

  /** Pools name a reservation as Compute Engine does; another project's starts with projects/. */
  private static String reservation(String named, String parent) {
    var steps = named.split("/", -1);
    var here = parent.split("/", -1);
    if (steps.length > 1) here[1] = steps[1];
    return String.join("/", here) + "/reservations/" + steps[steps.length - 1];
  }

  private static String parent(Order order, TpuSettings settings) {
    return "projects/" + settings.project() + "/locations/" + order.name().zone();
  }

  /**
   * Without secure boot: the images of v2 to v4 have their own accelerator driver, and it is not
   * documented to be signed.
   */
  private static Node node(Order order, TpuSettings settings) {
    PoolOption.requireCarriedOut(order.pool());
    var made = order.pool().machine();
    var type = made.tpu().map(MachineSpec.Tpu::type).orElse(order.pool().machineType());
    var tpu =
        TpuTypes.of(type)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "'%s' is not a TPU type that Mayfly knows; v4-8 is one".formatted(type)));
    var how = order.pool().provisioning();
    var node =
        Node.newBuilder()
            .setRuntimeVersion(runtime(made, tpu, settings))
            .setSchedulingConfig(
                SchedulingConfig.newBuilder()
                    .setSpot(how == Provisioning.SPOT)
                    .setReserved(how == Provisioning.RESERVED))
            .setNetworkConfig(network(order, settings))
            .putAllLabels(order.labels())
            .putAllMetadata(settings.metadata())
            .putAllMetadata(order.metadata())
            .putAllMetadata(LoginMetadata.ITEMS);
    made.tpu()
        .flatMap(MachineSpec.Tpu::topology)
        .ifPresentOrElse(
            layout -> node.setAcceleratorConfig(config(tpu, layout)),
            () -> node.setAcceleratorType(type));
    settings.serviceAccount().map(NodeRequests::account).ifPresent(node::setServiceAccount);
    return node.build();
  }

  private static AcceleratorConfig config(TpuTypes.Tpu tpu, String layout) {
    if (!tpu.takes(layout)) {
      throw new IllegalArgumentException(
          "%s has %d chips, by default laid out as %s; topology %s does not fit"
              .formatted(tpu.type(), tpu.chips(), tpu.topology(), layout));
    }
    var generation = GENERATIONS.get(tpu.generation());
    return AcceleratorConfig.newBuilder().setType(generation).setTopology(layout).build();
  }

  /** The pool's runtime; what is stored of a pool that names none is the base of older TPUs. */
  private static String runtime(MachineSpec made, TpuTypes.Tpu tpu, TpuSettings settings) {
    return made.tpu()
        .map(MachineSpec.Tpu::runtime)
        .filter(told -> !told.equals(TpuTypes.OLDER_RUNTIME))
        .or(settings::runtime)
        .orElseGet(() -> tpu.runtime());
  }

  private static NetworkConfig network(Order order, TpuSettings settings) {
    var made = order.pool().machine();
    var network = NetworkConfig.newBuilder().setEnableExternalIps(false);
    made.network()
        .or(settings::network)
        .map(name -> NetworkNames.network(settings.project(), name))
        .ifPresent(network::setNetwork);
    made.subnetwork()
        .or(settings::subnetwork)
        .map(name -> NetworkNames.subnetwork(settings.project(), order.name().zone(), name))
        .ifPresent(network::setSubnetwork);
    return network.build();
  }

  private static ServiceAccount account(String email) {
    return ServiceAccount.newBuilder().setEmail(email).addScope(SCOPE).build();
  }
}
