package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.AcceleratorConfig;
import com.google.cloud.compute.v1.AttachedDisk;
import com.google.cloud.compute.v1.AttachedDiskInitializeParams;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Items;
import com.google.cloud.compute.v1.Metadata;
import com.google.cloud.compute.v1.NetworkInterface;
import com.google.cloud.compute.v1.ServiceAccount;
import com.google.cloud.compute.v1.ShieldedInstanceConfig;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.plan.catalog.MachineTypes;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.gcp.LoginMetadata;
import dev.mayfly.gcp.NetworkNames;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** An order in Compute Engine's words. */
final class InstanceBuilder {
  private static final Pattern LABEL_KEY = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern LABEL_VALUE = Pattern.compile("[a-z0-9_-]{0,63}");

  private InstanceBuilder() {}

  /**
   * @throws IllegalArgumentException when the pool or a label is one that Compute Engine does not
   *     take; changing a label here would make a machine that is not found again
   */
  static Instance build(Order order, ComputeSettings settings) {
    order.labels().forEach(InstanceBuilder::checkLabel);
    var zone = order.name().zone();
    var machine = order.pool().machine();
    var instance =
        Instance.newBuilder()
            .setName(order.name().name())
            .setMachineType("zones/" + zone + "/machineTypes/" + order.pool().machineType())
            .putAllLabels(order.labels())
            .setMetadata(metadata(order, settings))
            .setScheduling(ProvisioningOptions.scheduling(order.pool()))
            .addDisks(bootDisk(order, settings))
            .addNetworkInterfaces(network(zone, machine, settings))
            .setShieldedInstanceConfig(shielded(order.pool()));
    machine.gpu().ifPresent(gpu -> instance.addGuestAccelerators(gpus(zone, gpu)));
    ProvisioningOptions.reservation(order.pool()).ifPresent(instance::setReservationAffinity);
    if (machine.compact()) {
      instance.addResourcePolicies(PlacementPolicies.link(order, settings.project()));
    }
    settings.serviceAccount().ifPresent(email -> instance.addServiceAccounts(account(email)));
    return instance.build();
  }

  private static void checkLabel(String key, String value) {
    if (!LABEL_KEY.matcher(key).matches() || !LABEL_VALUE.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "Label %s=%s: Compute Engine takes lower case letters, digits, _ and -, 63 at most"
              .formatted(key, value));
    }
  }

  private static Metadata metadata(Order order, ComputeSettings settings) {
    var items = new TreeMap<>(settings.metadata());
    items.putAll(order.metadata());
    items.putAll(LoginMetadata.ITEMS);
    var metadata = Metadata.newBuilder();
    items.forEach(
        (key, value) -> metadata.addItems(Items.newBuilder().setKey(key).setValue(value)));
    return metadata.build();
  }

  private static AcceleratorConfig gpus(String zone, MachineSpec.Gpu gpu) {
    return AcceleratorConfig.newBuilder()
        .setAcceleratorType("zones/" + zone + "/acceleratorTypes/" + gpu.type())
        .setAcceleratorCount(gpu.count())
        .build();
  }

  /** Under secure boot a GPU's driver must be signed, and most images' are not. */
  private static ShieldedInstanceConfig shielded(PoolSpec pool) {
    var gpus =
        pool.machine().gpu().isPresent()
            || pool.visible().gpuMillis() > 0
            || MachineTypes.shape(pool.machineType()).filter(s -> s.gpuMillis() > 0).isPresent();
    return ShieldedInstanceConfig.newBuilder()
        .setEnableSecureBoot(!gpus)
        .setEnableVtpm(true)
        .setEnableIntegrityMonitoring(true)
        .build();
  }

  /** It goes with its machine, and carries the same labels, so that one left over is found. */
  private static AttachedDisk bootDisk(Order order, ComputeSettings settings) {
    var machine = order.pool().machine();
    var size = machine.diskGb() > 0 ? machine.diskGb() : settings.diskGb();
    var made =
        AttachedDiskInitializeParams.newBuilder()
            .setSourceImage(BootImage.of(order.pool(), settings).name())
            .setDiskSizeGb(size)
            .putAllLabels(order.labels());
    machine
        .diskType()
        .ifPresent(type -> made.setDiskType("zones/" + order.name().zone() + "/diskTypes/" + type));
    return AttachedDisk.newBuilder()
        .setBoot(true)
        .setAutoDelete(true)
        .setInitializeParams(made)
        .build();
  }

  /** Without an access config there is no external address. */
  private static NetworkInterface network(
      String zone, MachineSpec machine, ComputeSettings settings) {
    var network =
        NetworkInterface.newBuilder()
            .setNetwork(
                NetworkNames.network(
                    settings.project(), machine.network().orElse(settings.network())));
    machine
        .subnetwork()
        .or(settings::subnetwork)
        .map(name -> NetworkNames.subnetwork(settings.project(), zone, name))
        .ifPresent(network::setSubnetwork);
    return network.build();
  }

  static String region(String zone) {
    return NetworkNames.region(zone);
  }

  /**
   * What it may do is said by its roles alone: scopes are a second, coarser list that Google
   * advises to leave open, and a change of which needs a new machine. So the account is nearly
   * powerless.
   */
  private static ServiceAccount account(String email) {
    return ServiceAccount.newBuilder()
        .setEmail(email)
        .addScopes("https://www.googleapis.com/auth/cloud-platform")
        .build();
  }
}
