package dev.mayfly.local.cloud.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.compute.v1.Instance;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.MachineSpec;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Machine;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.local.cloud.dials.Dials;
import dev.mayfly.porttests.FleetContract;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The production adapter, through Google's client, on the simulated Compute Engine. */
@Timeout(60)
class ComputeFleetTest extends FleetContract {
  private static final Machine.Name W1 = order("w-1", "w1").name();

  @TempDir Path home;
  private TestCloud test;
  private Fleet fleet;

  @BeforeEach
  void start() throws IOException {
    test = new TestCloud(home, "exec sleep 1000");
    fleet = ComputeEngine.fleet(ComputeSettings.of(TestCloud.PROJECT).at(test.cloud.url()));
  }

  @AfterEach
  void stop() {
    test.close();
  }

  @Override
  protected Fleet fleet() {
    return fleet;
  }

  @Override
  protected void settle() {
    test.settle();
  }

  @Override
  protected void sellOut(String zone) {
    test.cloud.dials().setStock(zone, 0);
  }

  @Override
  protected void takeBack(Machine.Name name) {
    test.cloud.machines().preempt(name.name(), Optional.empty());
    try {
      test.nextSystemEvent();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSpotMachineDiesWithItsLifeEvenIfNobodyDeletesIt() {
    fleet.order(order("w-1", "w1"));

    var scheduling = test.get("w-1").getScheduling();
    assertThat(scheduling.getProvisioningModel()).isEqualTo("SPOT");
    assertThat(scheduling.getInstanceTerminationAction()).isEqualTo("DELETE");
    assertThat(scheduling.getMaxRunDuration().getSeconds())
        .isEqualTo(Duration.ofHours(6).toSeconds());
    assertThat(scheduling.getAutomaticRestart()).isFalse();
  }

  @Test
  void aMachineHasNoExternalAddressAndLeavesNoDisk() {
    fleet.order(order("w-1", "w1"));

    Instance instance = test.get("w-1");
    assertThat(instance.getNetworkInterfaces(0).getAccessConfigsList()).isEmpty();
    assertThat(instance.getDisksList()).allMatch(disk -> disk.getAutoDelete());
    assertThat(instance.getMetadata().getItemsList())
        .anyMatch(item -> item.getKey().equals("mayfly-nonce") && item.getValue().equals("n0nce"));
  }

  @Test
  void anOrderWhoseReplyWasLostIsRepeatedWithoutASecondMachine() {
    test.cloud.dials().loseReplies(1, "/compute/");

    assertThatThrownBy(() -> fleet.order(order("w-1", "w1"))).isInstanceOf(Unavailable.class);

    assertThat(fleet.order(order("w-1", "w1"))).isInstanceOf(Ordered.Accepted.class);
    settle();
    assertThat(fleet.list().machines()).hasSize(1);
  }

  @Test
  void aSlowOrderIsPending() {
    test.cloud.dials().setBootDelay(Duration.ofHours(1));

    var ordered = (Ordered.Accepted) fleet.order(order("w-1", "w1"));

    assertThat(fleet.progress(W1, ordered.operation())).contains(new Progress.Pending());
    assertThat(fleet.find(W1)).map(Machine::status).contains(Machine.Status.STARTING);
    fleet.delete(W1);
  }

  @Test
  void quotaAndRateAreTwoAnswers() {
    test.cloud.dials().setCpuQuota(OptionalInt.of(1));
    assertThat(kind(fleet.order(order("w-1", "w1")))).isEqualTo(Refusal.Kind.QUOTA);

    test.cloud.dials().limitRate(1);
    assertThat(kind(fleet.order(order("w-2", "w2")))).isEqualTo(Refusal.Kind.RATE);

    test.cloud.dials().limitRate(10);
    assertThatThrownBy(() -> fleet.find(W1))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("rateLimitExceeded");
    test.cloud.dials().limitRate(0);
  }

  @Test
  void whatTheServiceDoesNotTakeIsInvalid() {
    var unknownType = withType(order("w-1", "w1"), "n2-standard-3");
    assertThat(fleet.order(unknownType))
        .isInstanceOfSatisfying(
            Ordered.Refused.class,
            refused -> {
              assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
              assertThat(refused.refusal().message()).contains("machineType");
            });

    assertThat(kind(fleet.order(withLabel(order("w-1", "w1"), "Not A Label"))))
        .isEqualTo(Refusal.Kind.INVALID);
    assertThat(fleet.list().machines()).isEmpty();
  }

  @Test
  void aListThatLacksAZoneSaysSo() {
    fleet.order(order("w-1", "w1"));
    settle();
    test.cloud.dials().silenceZones(1, Set.of(ZONE));

    var inventory = fleet.list();

    assertThat(inventory.complete()).isFalse();
    assertThat(inventory.machines()).isEmpty();
    assertThat(inventory.warnings()).anyMatch(warning -> warning.contains(ZONE));
    assertThat(fleet.list().complete()).isTrue();
  }

  @Test
  void aMachineWithoutOurLabelIsNeitherListedNorDeleted() {
    test.run(TestCloud.machine("theirs").clearLabels());

    assertThat(fleet.list().machines()).isEmpty();
    assertThat(fleet.delete(new Machine.Name(ZONE, "theirs"))).isFalse();
    assertThat(test.get("theirs").getStatus()).isEqualTo("RUNNING");
  }

  @Test
  void aStoppedMachineIsStoppedAndCanBeDeleted() {
    fleet.order(order("w-1", "w1"));
    settle();
    test.cloud.machines().stop("w-1");
    settle();

    assertThat(fleet.find(W1)).map(Machine::status).contains(Machine.Status.STOPPED);
    assertThat(fleet.delete(W1)).isTrue();
    settle();
    assertThat(fleet.find(W1)).isEmpty();
  }

  @Test
  void anEndpointTheClientWouldChokeOnIsRefused() {
    assertThatThrownBy(() -> ComputeSettings.of("p").at("http://127.0.0.1:1/"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without a slash");
  }

  private static final MachineSpec PLAIN = MachineSpec.PLAIN;

  private Instance ordered(String type, Provisioning how, MachineSpec machine) {
    var plain = withType(order("w-1", "w1"), type);
    var pool = plain.pool().bought(how).of(machine);
    var order = new Order(plain.name(), pool, plain.labels(), plain.metadata(), uuid(type + how));
    assertThat(fleet.order(order)).isInstanceOf(Ordered.Accepted.class);
    return test.get("w-1");
  }

  @Test
  void aMachineWithGpusIsNeverMovedAndNeedsNoSignedDriver() {
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
  void aTypeThatBringsGpusIsOrderedByItsNameAlone() {
    var instance = ordered("g2-standard-24", Provisioning.SPOT, PLAIN);

    assertThat(instance.getGuestAcceleratorsList()).isEmpty();
    assertThat(instance.getShieldedInstanceConfig().getEnableSecureBoot()).isFalse();
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
    var instance = ordered("a3-highgpu-8g", Provisioning.RESERVED, spec);

    var affinity = instance.getReservationAffinity();
    assertThat(affinity.getConsumeReservationType()).isEqualTo("SPECIFIC_RESERVATION");
    assertThat(affinity.getKey()).isEqualTo("compute.googleapis.com/reservation-name");
    assertThat(affinity.getValuesList()).containsExactly("h100-block");
    var disk = instance.getDisks(0).getInitializeParams();
    assertThat(disk.getSourceImage()).isEqualTo("projects/lab/global/images/family/ours");
    assertThat(disk.getDiskSizeGb()).isEqualTo(200);
    assertThat(disk.getDiskType()).endsWith("diskTypes/pd-ssd");
    assertThat(disk.getLabelsMap()).containsEntry(Machine.CLUSTER, "c1");
    assertThat(instance.getNetworkInterfaces(0).getNetwork()).endsWith("networks/lab-net");
    assertThat(instance.getNetworkInterfaces(0).getSubnetwork())
        .endsWith("regions/us-central1/subnetworks/lab-sub");
  }

  @Test
  void aFlexStartMachineHasALifeAndNoReservation() {
    var instance = ordered("g2-standard-4", Provisioning.FLEX_START, PLAIN);

    assertThat(instance.getScheduling().getProvisioningModel()).isEqualTo("FLEX_START");
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
    var plain = order("w-1", "w1");
    for (var name : List.of("w-1", "w-2")) {
      var pool = plain.pool().of(compact);
      var order =
          new Order(
              new Machine.Name(ZONE, name), pool, plain.labels(), plain.metadata(), uuid(name));
      assertThat(fleet.order(order)).isInstanceOf(Ordered.Accepted.class);
    }

    assertThat(test.get("w-1").getResourcePoliciesList())
        .hasSize(1)
        .isEqualTo(test.get("w-2").getResourcePoliciesList());
  }

  @Test
  void aStaticPoolsMachinesAreNotOrdered() {
    var plain = order("w-1", "w1");
    var pool = plain.pool().bought(Provisioning.STATIC);

    var ordered =
        fleet.order(new Order(plain.name(), pool, plain.labels(), plain.metadata(), uuid("s")));

    assertThat(kind(ordered)).isEqualTo(Refusal.Kind.INVALID);
  }

  @Test
  void stockIsByTypeAndQuotaByRegion() {
    test.cloud.dials().setStock(Dials.stockOf(ZONE, "g2-standard-4"), 0);
    assertThat(kind(fleet.order(withType(order("w-1", "w1"), "g2-standard-4"))))
        .isEqualTo(Refusal.Kind.CAPACITY);
    assertThat(fleet.order(withType(order("w-2", "w2"), "g2-standard-8")))
        .isInstanceOf(Ordered.Accepted.class);

    test.cloud.dials().setQuota("gpus", "us-central1", OptionalInt.of(1));
    assertThat(kind(fleet.order(withType(order("w-3", "w3"), "g2-standard-12"))))
        .isEqualTo(Refusal.Kind.QUOTA);
    assertThat(fleet.order(order("w-4", "w4"))).isInstanceOf(Ordered.Accepted.class);
  }

  @Test
  void aRefusalWithoutDetailsAndStatusIsUnderstood() {
    test.cloud.dials().setBareRefusals(true);
    test.cloud.dials().setStock(ZONE, 0);

    var ordered = fleet.order(order("w-1", "w1"));

    assertThat(ordered)
        .isInstanceOfSatisfying(
            Ordered.Refused.class,
            refused -> {
              assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.CAPACITY);
              assertThat(refused.refusal().code()).isEqualTo("ZONE_RESOURCE_POOL_EXHAUSTED");
            });
  }

  private static Order withType(Order order, String type) {
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
            pool.life());
    return new Order(
        order.name(), other, order.labels(), order.metadata(), uuid(order.name() + type));
  }

  private static Order withLabel(Order order, String worker) {
    var labels = Map.of(Machine.CLUSTER, "c1", Machine.WORKER, worker);
    return new Order(order.name(), order.pool(), labels, order.metadata(), uuid(worker));
  }
}
