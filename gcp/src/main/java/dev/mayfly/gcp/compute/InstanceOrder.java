package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.AttachedDisk;
import com.google.cloud.compute.v1.AttachedDiskInitializeParams;
import com.google.cloud.compute.v1.Duration;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Items;
import com.google.cloud.compute.v1.Metadata;
import com.google.cloud.compute.v1.NetworkInterface;
import com.google.cloud.compute.v1.Scheduling;
import com.google.cloud.compute.v1.ServiceAccount;
import com.google.cloud.compute.v1.ShieldedInstanceConfig;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.port.Fleet.Order;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** An order in Compute Engine's words. */
final class InstanceOrder {
  private static final Pattern LABEL_KEY = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern LABEL_VALUE = Pattern.compile("[a-z0-9_-]{0,63}");

  private InstanceOrder() {}

  /**
   * @throws IllegalArgumentException when a label is one that Compute Engine does not take;
   *     changing it here would make a machine that is not found again
   */
  static Instance of(Order order, ComputeSettings settings) {
    order.labels().forEach(InstanceOrder::checkLabel);
    var zone = order.name().zone();
    var instance =
        Instance.newBuilder()
            .setName(order.name().name())
            .setMachineType("zones/" + zone + "/machineTypes/" + order.pool().machineType())
            .putAllLabels(order.labels())
            .setMetadata(metadata(order, settings))
            .setScheduling(scheduling(order))
            .addDisks(bootDisk(settings))
            .addNetworkInterfaces(network(zone, settings))
            .setShieldedInstanceConfig(
                ShieldedInstanceConfig.newBuilder()
                    .setEnableSecureBoot(true)
                    .setEnableVtpm(true)
                    .setEnableIntegrityMonitoring(true));
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
    var metadata = Metadata.newBuilder();
    items.forEach(
        (key, value) -> metadata.addItems(Items.newBuilder().setKey(key).setValue(value)));
    return metadata.build();
  }

  /** Whatever becomes of us, the machine is deleted when its life is over. */
  private static Scheduling scheduling(Order order) {
    var scheduling =
        Scheduling.newBuilder()
            .setAutomaticRestart(false)
            .setOnHostMaintenance("TERMINATE")
            .setInstanceTerminationAction("DELETE")
            .setMaxRunDuration(Duration.newBuilder().setSeconds(order.pool().life().toSeconds()));
    var spot = order.pool().provisioning() == Provisioning.SPOT;
    return scheduling.setProvisioningModel(spot ? "SPOT" : "STANDARD").setPreemptible(spot).build();
  }

  private static AttachedDisk bootDisk(ComputeSettings settings) {
    return AttachedDisk.newBuilder()
        .setBoot(true)
        .setAutoDelete(true)
        .setInitializeParams(
            AttachedDiskInitializeParams.newBuilder()
                .setSourceImage(settings.image())
                .setDiskSizeGb(settings.diskGb()))
        .build();
  }

  /** Without an access config there is no external address. */
  private static NetworkInterface network(String zone, ComputeSettings settings) {
    var network = NetworkInterface.newBuilder().setNetwork(settings.network());
    settings
        .subnetwork()
        .ifPresent(
            name -> network.setSubnetwork("regions/" + region(zone) + "/subnetworks/" + name));
    return network.build();
  }

  private static String region(String zone) {
    return zone.substring(0, Math.max(0, zone.lastIndexOf('-')));
  }

  /** What it may do is said by its roles alone, not by scopes. */
  private static ServiceAccount account(String email) {
    return ServiceAccount.newBuilder()
        .setEmail(email)
        .addScopes("https://www.googleapis.com/auth/cloud-platform")
        .build();
  }
}
