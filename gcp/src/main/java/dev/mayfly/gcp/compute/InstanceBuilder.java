package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.AcceleratorConfig;
import com.google.cloud.compute.v1.AdvancedMachineFeatures;
import com.google.cloud.compute.v1.AttachedDisk;
import com.google.cloud.compute.v1.AttachedDiskInitializeParams;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Items;
import com.google.cloud.compute.v1.Metadata;
import com.google.cloud.compute.v1.NetworkInterface;
import com.google.cloud.compute.v1.ServiceAccount;
import com.google.cloud.compute.v1.ShieldedInstanceConfig;
import dev.mayfly.core.catalog.BootDisk;
import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.TpuMachine;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.gcp.LoginMetadata;
import dev.mayfly.gcp.NetworkNames;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Maps an order to Compute Engine's request. */
final class InstanceBuilder {
  private static final Pattern LABEL_KEY = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern LABEL_VALUE = Pattern.compile("[a-z0-9_-]{0,63}");

  private InstanceBuilder() {}

  /**
   * @throws IllegalArgumentException if Compute Engine does not accept the pool or a label; a label
   *     changed here would create a machine that cannot be found again
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
    threads(order.pool()).ifPresent(instance::setAdvancedMachineFeatures);
    ProvisioningOptions.reservation(order.pool()).ifPresent(instance::setReservationAffinity);
    ProvisioningOptions.params(order.pool()).ifPresent(instance::setParams);
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

  private static Optional<AdvancedMachineFeatures> threads(PoolSpec pool) {
    return TpuMachine.of(pool.machineType())
        .map(TpuMachine::threadsPerCore)
        .filter(OptionalInt::isPresent)
        .map(threads ->
            AdvancedMachineFeatures.newBuilder().setThreadsPerCore(threads.getAsInt()).build());
  }

  /**
   * Secure boot requires signed GPU drivers, which most images lack. TPUs start without it as
   * Google's own orders do.
   */
  private static ShieldedInstanceConfig shielded(PoolSpec pool) {
    return ShieldedInstanceConfig.newBuilder()
        .setEnableSecureBoot(
            !MachineTypes.hasGpus(pool) && TpuMachine.image(pool.machineType()).isEmpty())
        .setEnableVtpm(true)
        .setEnableIntegrityMonitoring(true)
        .build();
  }

  /**
   * Deleted with its machine; carries the machine's labels, so that a leftover disk is found. Its
   * type is left to Compute Engine for a family that the catalog does not know.
   */
  private static AttachedDisk bootDisk(Order order, ComputeSettings settings) {
    var machine = order.pool().machine();
    var image = BootImage.of(order.pool(), settings);
    var size = machine.diskGb() > 0 ? machine.diskGb() : image.diskGb();
    var made =
        AttachedDiskInitializeParams.newBuilder()
            .setSourceImage(image.name())
            .setDiskSizeGb(size)
            .putAllLabels(order.labels());
    machine
        .diskType()
        .or(() -> BootDisk.usualType(order.pool().machineType()))
        .ifPresent(type -> made.setDiskType("zones/" + order.name().zone() + "/diskTypes/" + type));
    return AttachedDisk.newBuilder()
        .setBoot(true)
        .setAutoDelete(true)
        .setInitializeParams(made)
        .build();
  }

  /** Without an access config the machine has no external address. */
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
   * Permissions come from the account's roles only. Scopes are a second, coarser list that Google
   * advises to leave open, and changing them needs a new machine. So the account has few roles.
   */
  private static ServiceAccount account(String email) {
    return ServiceAccount.newBuilder()
        .setEmail(email)
        .addScopes("https://www.googleapis.com/auth/cloud-platform")
        .build();
  }
}
