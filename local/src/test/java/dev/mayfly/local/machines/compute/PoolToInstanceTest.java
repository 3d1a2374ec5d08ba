package dev.mayfly.local.machines.compute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.compute.v1.Instance;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.local.cloud.TestCloud;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pool's settings reach the instance that Compute Engine creates. */
@Timeout(300)
class PoolToInstanceTest {
  private static final String ZONE = TestCloud.ZONE;
  private static final Order PLAIN_ORDER = plain();

  @TempDir Path home;
  private TestCloud test;
  private Fleet fleet;

  @BeforeEach
  void start() throws IOException {
    test = new TestCloud(home, "exec sleep 1000");
    fleet =
        ComputeEngine.fleet(
            ComputeSettings.of(TestCloud.PROJECT).withEndpoint(test.simulatedCloud.url()));
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private static Order plain() {
    var pool =
        new PoolSpec(
            "cpu",
            "n2-standard-2",
            Resources.cpu(2, 8L << 30),
            List.of(ZONE),
            Provisioning.SPOT,
            0,
            10,
            Duration.ofMinutes(10),
            Duration.ofHours(6),
            MachineSpec.PLAIN);
    var labels =
        Map.of(CloudMachine.CLUSTER, "c1", CloudMachine.POOL, "cpu", CloudMachine.WORKER, "w-1");
    return new Order(new CloudMachine.Name(ZONE, "w-1"), pool, labels, Map.of(), uuid("w-1"));
  }

  private static String uuid(String intent) {
    return UUID.nameUUIDFromBytes(intent.getBytes(UTF_8)).toString();
  }

  private static Refusal.Kind kind(Ordered ordered) {
    assertThat(ordered).isInstanceOf(Ordered.Refused.class);
    return ((Ordered.Refused) ordered).refusal().kind();
  }

  /** The same order for another machine type. */
  static Order withType(Order order, String type) {
    var pool = order.pool();
    var other =
        new PoolSpec(
            pool.name(),
            type,
            pool.visible(),
            pool.zones(),
            pool.provisioning(),
            pool.min(),
            pool.max(),
            pool.idleAfter(),
            pool.life(),
            MachineSpec.PLAIN);
    return new Order(
        order.name(), other, order.labels(), order.metadata(), uuid(order.name() + type));
  }

  private static final MachineSpec PLAIN = MachineSpec.PLAIN;

  private Instance ordered(String type, Provisioning how, MachineSpec machine) {
    var plain = withType(PLAIN_ORDER, type);
    var pool = plain.pool().withProvisioning(how).withMachine(machine);
    var order = new Order(plain.name(), pool, plain.labels(), plain.metadata(), uuid(type + how));
    assertThat(fleet.order(order)).isInstanceOf(Ordered.Accepted.class);
    return test.get("w-1");
  }

  /** Compute Engine's own default is a hard disk for many families. */
  @Test
  void bootDiskHasItsFamilysType() {
    var disk = ordered("n2-standard-2", Provisioning.SPOT, PLAIN).getDisks(0);

    assertThat(disk.getInitializeParams().getDiskType())
        .endsWith("zones/us-central1-a/diskTypes/pd-balanced");
  }

  @Test
  void newerFamilyStartsFromHyperdisk() {
    var disk = ordered("n4-standard-2", Provisioning.SPOT, PLAIN).getDisks(0);

    assertThat(disk.getInitializeParams().getDiskType()).endsWith("diskTypes/hyperdisk-balanced");
  }

  @Test
  void gpuMachineHasNoMigrationOrSecureBoot() {
    var instance =
        ordered(
            "n1-standard-4",
            Provisioning.ON_DEMAND,
            PLAIN.with(new MachineSpec.Gpu("nvidia-tesla-t4", 2)));

    assertThat(instance.getGuestAccelerators(0).getAcceleratorType())
        .endsWith("zones/us-central1-a/acceleratorTypes/nvidia-tesla-t4");
    assertThat(instance.getGuestAccelerators(0).getAcceleratorCount()).isEqualTo(2);
    assertThat(instance.getScheduling().getOnHostMaintenance()).isEqualTo("TERMINATE");
    assertThat(instance.getScheduling().getProvisioningModel()).isEqualTo("STANDARD");
    assertThat(instance.getShieldedInstanceConfig().getEnableSecureBoot()).isFalse();
    assertThat(instance.getShieldedInstanceConfig().getEnableVtpm()).isTrue();
  }

  @Test
  void acceleratedTypeIsOrderedByName() {
    var instance = ordered("g2-standard-24", Provisioning.SPOT, PLAIN);

    assertThat(instance.getGuestAcceleratorsList()).isEmpty();
    assertThat(instance.getShieldedInstanceConfig().getEnableSecureBoot()).isFalse();
  }

  /** A misspelt one is found on the laptop, not first in a project. */
  @Test
  void unknownReservationIsRefused() {
    var paid =
        new MachineSpec(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of("h100-blok"),
            false);
    var pool = PLAIN_ORDER.pool().withProvisioning(Provisioning.RESERVED).withMachine(paid);
    var refused =
        fleet.order(
            new Order(
                PLAIN_ORDER.name(), pool, PLAIN_ORDER.labels(), PLAIN_ORDER.metadata(), uuid("r")));

    assertThat(kind(refused)).isEqualTo(Refusal.Kind.INVALID);
    assertThat(((Ordered.Refused) refused).refusal().message())
        .contains("h100-blok", "a reservation that exists");
  }

  @Test
  void aReservedMachineNamesItsReservation() {
    var spec =
        new MachineSpec(
            Optional.empty(),
            Optional.empty(),
            Optional.of("projects/lab/global/images/family/ours"),
            200,
            Optional.of("pd-ssd"),
            Optional.of("lab-net"),
            Optional.of("lab-sub"),
            Optional.of("h100-block"),
            false);
    test.simulatedCloud.faultControls().setReservation("h100-block", true);
    var instance = ordered("a3-highgpu-8g", Provisioning.RESERVED, spec);

    var affinity = instance.getReservationAffinity();
    assertThat(affinity.getConsumeReservationType()).isEqualTo("SPECIFIC_RESERVATION");
    assertThat(affinity.getKey()).isEqualTo("compute.googleapis.com/reservation-name");
    assertThat(affinity.getValuesList()).containsExactly("h100-block");
    var disk = instance.getDisks(0).getInitializeParams();
    assertThat(disk.getSourceImage()).isEqualTo("projects/lab/global/images/family/ours");
    assertThat(disk.getDiskSizeGb()).isEqualTo(200);
    assertThat(disk.getDiskType()).endsWith("diskTypes/pd-ssd");
    assertThat(disk.getLabelsMap()).containsEntry(CloudMachine.CLUSTER, "c1");
    assertThat(instance.getNetworkInterfaces(0).getNetwork()).endsWith("networks/lab-net");
    assertThat(instance.getNetworkInterfaces(0).getSubnetwork())
        .endsWith("regions/us-central1/subnetworks/lab-sub");
  }

  /** The newest image of a family is the cloud's to know: nothing here names one. */
  @Test
  void bootImageMayBeFamily() {
    var family = "projects/lab/global/images/family/ours";
    var plain = MachineSpec.PLAIN;
    var ours =
        new MachineSpec(
            plain.tpu(),
            plain.gpu(),
            Optional.of(family),
            0,
            plain.diskType(),
            plain.network(),
            plain.subnetwork(),
            plain.reservation(),
            false);

    assertThat(sourceImage(ordered("n2-standard-2", Provisioning.SPOT, ours))).isEqualTo(family);
  }

  @Test
  void usualBootImageIsFamilyToo() {
    assertThat(sourceImage(ordered("n2-standard-2", Provisioning.SPOT, PLAIN)))
        .isEqualTo("projects/debian-cloud/global/images/family/debian-12");
  }

  private static String sourceImage(Instance instance) {
    return instance.getDisks(0).getInitializeParams().getSourceImage();
  }

  @Test
  void flexStartMachineHasLifeAndNoReservation() {
    var instance = ordered("g2-standard-4", Provisioning.FLEX_START, PLAIN);

    assertThat(instance.getScheduling().getProvisioningModel()).isEqualTo("FLEX_START");
    assertThat(instance.getParams().getRequestValidForDuration().getSeconds())
        .as("without it a zone that has none refuses at once")
        .isEqualTo(7200);
    assertThat(instance.getScheduling().getInstanceTerminationAction()).isEqualTo("DELETE");
    assertThat(instance.getReservationAffinity().getConsumeReservationType())
        .isEqualTo("NO_RESERVATION");
  }

  @Test
  void aPoolOfCompactMachinesHasOnePlacementPolicy() {
    var compact =
        new MachineSpec(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            true);
    var plain = PLAIN_ORDER;
    for (var name : List.of("w-1", "w-2")) {
      var pool = plain.pool().withMachine(compact);
      var order =
          new Order(
              new CloudMachine.Name(ZONE, name),
              pool,
              plain.labels(),
              plain.metadata(),
              uuid(name));
      assertThat(fleet.order(order)).isInstanceOf(Ordered.Accepted.class);
    }

    assertThat(test.get("w-1").getResourcePoliciesList())
        .hasSize(1)
        .isEqualTo(test.get("w-2").getResourcePoliciesList());
    assertThat(test.get("w-1").getResourcePolicies(0))
        .contains("/regions/us-central1/")
        .endsWith("-" + plain.pool().name() + "-" + ZONE.substring(ZONE.length() - 1));

    var policy = fleet.leftovers().getFirst();
    assertThat(policy.kind()).isEqualTo(Fleet.Leftover.Kind.PLACEMENT_POLICY);
    assertThat(policy.place()).isEqualTo("us-central1");
    assertThat(policy.labels())
        .containsEntry(CloudMachine.CLUSTER, plain.labels().get(CloudMachine.CLUSTER));
    assertThat(fleet.delete(policy)).as("while machines use it").isFalse();
    for (var name : List.of("w-1", "w-2")) fleet.delete(new CloudMachine.Name(ZONE, name));
    test.settle();
    assertThat(fleet.delete(policy)).isTrue();
    assertThat(fleet.leftovers()).isEmpty();
    assertThat(fleet.delete(policy)).isFalse();
  }

  @Test
  void aStaticPoolsMachinesAreNotOrdered() {
    var plain = PLAIN_ORDER;
    var pool = plain.pool().withProvisioning(Provisioning.STATIC);

    var ordered =
        fleet.order(new Order(plain.name(), pool, plain.labels(), plain.metadata(), uuid("s")));

    assertThat(kind(ordered)).isEqualTo(Refusal.Kind.INVALID);
  }
}
