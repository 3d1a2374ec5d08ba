package dev.mayfly.local.machines.compute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.compute.v1.AdvancedMachineFeatures;
import com.google.cloud.compute.v1.Instance;
import dev.mayfly.core.catalog.BootDisk;
import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.TpuMachine;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.local.cloud.TestCloud;
import dev.mayfly.local.machines.FaultControls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every TPU of Compute Engine, in every way to buy it, through Google's own client. */
@Timeout(300)
class TpuMachineOrderTest {
  private static final String ZONE = TestCloud.ZONE;

  @TempDir Path home;
  private TestCloud test;
  private Fleet fleet;

  @BeforeEach
  void start() throws IOException {
    test = new TestCloud(home, "exec sleep 1000");
    test.simulatedCloud.faultControls().setReservation("paid", true);
    fleet =
        ComputeEngine.fleet(
            ComputeSettings.of(TestCloud.PROJECT).withEndpoint(test.simulatedCloud.url()));
  }

  @AfterEach
  void stop() {
    test.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ct5p-hightpu-1t",
        "ct5p-hightpu-2t",
        "ct5p-hightpu-4t",
        "ct6e-standard-1t",
        "ct6e-standard-4t",
        "ct6e-standard-8t",
        "tpu7x-standard-1t",
        "tpu7x-standard-4t"
      })
  void everyWayToBuyIsValidForTheClient(String type) {
    for (var how : Provisioning.values()) {
      if (how == Provisioning.STATIC) continue;
      var name = "w-" + how.word();

      assertThat(fleet.order(order(name, type, how)))
          .as(how.word())
          .isInstanceOf(Ordered.Accepted.class);
      var made = test.get(name);
      assertThat(made.getMachineType()).endsWith("machineTypes/" + type);
      assertThat(made.getGuestAcceleratorsList()).isEmpty();
      assertPurchase(how, made);
      assertStart(type, made);
    }
  }

  private static void assertPurchase(Provisioning how, Instance made) {
    var scheduling = made.getScheduling();
    assertThat(scheduling.getProvisioningModel())
        .isEqualTo(
            switch (how) {
              case SPOT -> "SPOT";
              case FLEX_START -> "FLEX_START";
              case ON_DEMAND, RESERVED, STATIC -> "STANDARD";
            });
    assertThat(scheduling.getOnHostMaintenance()).isEqualTo("TERMINATE");
    assertThat(scheduling.getInstanceTerminationAction()).isEqualTo("DELETE");
    assertThat(scheduling.getMaxRunDuration().getSeconds()).isEqualTo(6 * 3600);
    assertThat(made.getParams().getRequestValidForDuration().getSeconds())
        .isEqualTo(how == Provisioning.FLEX_START ? 7200 : 0);
    assertThat(made.getReservationAffinity().getConsumeReservationType())
        .isEqualTo(
            switch (how) {
              case RESERVED -> "SPECIFIC_RESERVATION";
              case SPOT, FLEX_START -> "NO_RESERVATION";
              case ON_DEMAND, STATIC -> "";
            });
  }

  private static void assertStart(String type, Instance made) {
    var disk = made.getDisks(0).getInitializeParams();
    assertThat(disk.getSourceImage()).isEqualTo(TpuMachine.image(type).orElseThrow());
    assertThat(disk.getDiskType()).endsWith("/" + BootDisk.usualType(type).orElseThrow());
    assertThat(disk.getDiskSizeGb()).isEqualTo(100);
    assertThat(made.getShieldedInstanceConfig().getEnableSecureBoot()).isFalse();
    assertThat(made.getAdvancedMachineFeatures().getThreadsPerCore())
        .isEqualTo(type.equals("ct6e-standard-8t") ? 1 : 0);
  }

  /** As Compute Engine is said to do: an order that it would refuse fails on a laptop. */
  @Test
  void eightChipsNeedOneThreadPerCore() {
    var asked =
        TestCloud.machine("w-1")
            .setMachineType("zones/" + ZONE + "/machineTypes/ct6e-standard-8t")
            .setScheduling(TestCloud.spot("DELETE").toBuilder().setOnHostMaintenance("TERMINATE"));
    var one = AdvancedMachineFeatures.newBuilder().setThreadsPerCore(1);

    assertThat(refused(asked)).contains("threadsPerCore", "1 for ct6e-standard-8t");
    assertThat(test.run(asked.setAdvancedMachineFeatures(one)).getName()).isEqualTo("w-1");
  }

  @Test
  void persistentDiskIsRefusedWhereHyperdiskAloneFits() {
    var disks =
        new MachineSpec(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.of("pd-balanced"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false);
    var plain = order("w-1", "ct6e-standard-4t", Provisioning.SPOT);
    var asked =
        new Order(
            plain.name(),
            plain.pool().withMachine(disks),
            plain.labels(),
            plain.metadata(),
            plain.requestId());

    var refusal = refusal(asked).orElseThrow();
    assertThat(refusal.kind()).isEqualTo(Refusal.Kind.INVALID);
    assertThat(refusal.message()).contains("diskType", "a Hyperdisk for ct6e-standard-4t");
  }

  @Test
  void quotaOfChipsIsQuota() {
    test.simulatedCloud
        .faultControls()
        .setQuota(FaultControls.TPUS, "us-central1", OptionalInt.of(8));

    assertThat(refusal(order("w-1", "ct6e-standard-8t", Provisioning.SPOT))).isEmpty();
    var refused = refusal(order("w-2", "ct6e-standard-1t", Provisioning.SPOT)).orElseThrow();
    assertThat(refused.kind()).isEqualTo(Refusal.Kind.QUOTA);
    assertThat(refused.message()).contains("'TPUS_PER_TPU_FAMILY' exceeded");
  }

  @Test
  void stockoutIsCapacity() {
    test.simulatedCloud.faultControls().setStock(ZONE, 0);

    assertThat(refusal(order("w-1", "ct6e-standard-4t", Provisioning.SPOT)).map(Refusal::kind))
        .contains(Refusal.Kind.CAPACITY);
  }

  /** Why there will be no machine, said at once or by the operation's end; empty if there is. */
  private Optional<Refusal> refusal(Order order) {
    return switch (fleet.order(order)) {
      case Ordered.Refused refused -> Optional.of(refused.refusal());
      case Ordered.Exists _ -> Optional.empty();
      case Ordered.Accepted accepted -> {
        test.settle();
        var end = fleet.progress(order.name(), accepted.operation()).orElseThrow();
        yield end instanceof Progress.Failed failed
            ? Optional.of(failed.refusal())
            : Optional.empty();
      }
    };
  }

  private String refused(Instance.Builder asked) {
    try {
      test.insert(asked, uuid("refused"));
      return "";
    } catch (ApiException refusal) {
      return String.valueOf(refusal.getCause());
    }
  }

  private static Order order(String name, String type, Provisioning how) {
    var plain = MachineSpec.PLAIN;
    var machine =
        new MachineSpec(
            plain.tpu(),
            plain.gpu(),
            plain.image(),
            plain.diskGb(),
            plain.diskType(),
            plain.network(),
            plain.subnetwork(),
            how == Provisioning.RESERVED ? Optional.of("paid") : Optional.empty(),
            plain.compact());
    var pool =
        new PoolSpec(
            "tpu",
            type,
            MachineTypes.shape(type).orElseThrow(),
            List.of(ZONE),
            how,
            0,
            10,
            Duration.ofMinutes(10),
            Duration.ofHours(6),
            machine);
    var labels =
        Map.of(CloudMachine.CLUSTER, "c1", CloudMachine.POOL, "tpu", CloudMachine.WORKER, name);
    return new Order(
        new CloudMachine.Name(ZONE, name), pool, labels, Map.of(), uuid(name + type + how));
  }

  private static String uuid(String intent) {
    return UUID.nameUUIDFromBytes(intent.getBytes(UTF_8)).toString();
  }
}
