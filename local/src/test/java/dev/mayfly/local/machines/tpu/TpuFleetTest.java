package dev.mayfly.local.machines.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.tpu.v2.NetworkEndpoint;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.gcp.LoginMetadata;
import dev.mayfly.gcp.tpu.CloudTpu;
import dev.mayfly.gcp.tpu.TpuSettings;
import dev.mayfly.local.cloud.SimulatedCloud;
import dev.mayfly.porttests.StockoutContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The production adapter, through Google's client, on the simulated Cloud TPU. */
@Timeout(300)
class TpuFleetTest extends StockoutContract {
  private static final CloudMachine.Name W1 = order("w-1", "w1").name();

  @TempDir Path home;
  private final AtomicReference<InstantSource> clock =
      new AtomicReference<>(InstantSource.system());
  private SimulatedCloud simulatedCloud;
  private Fleet tpus;
  private Fleet fleet;

  @BeforeEach
  void start() throws IOException {
    simulatedCloud = TpuTestClouds.open(home, () -> clock.get().instant());
    tpus = CloudTpu.fleet(TpuSettings.of("lab").withEndpoint(simulatedCloud.grpcEndpoint()));
    fleet = new TpuOnlyFleet(tpus, "v4-8", Provisioning.SPOT);
  }

  @AfterEach
  void stop() {
    TpuTestClouds.close(simulatedCloud);
  }

  @Override
  protected Fleet fleet() {
    return fleet;
  }

  @Override
  protected void settle() {
    TpuTestClouds.settle(simulatedCloud);
  }

  @Override
  protected void exhaustZone(String zone) {
    simulatedCloud.faultControls().setStock(zone, 0);
  }

  @Override
  protected void preempt(CloudMachine.Name name) {
    simulatedCloud.tpus().vanish(name.name());
  }

  @Test
  void preemptedNodeKeepsNameUntilDeleted() {
    fleet.order(order("w-1", "w1"));
    settle();

    simulatedCloud.tpus().preempt("w-1", Optional.empty());

    assertThat(fleet.find(W1)).map(CloudMachine::status).contains(CloudMachine.Status.STOPPED);
    assertThat(kind(fleet.order(order("w-1", "w2")))).isEqualTo(Refusal.Kind.INVALID);
    assertThat(fleet.delete(W1)).isTrue();
    settle();
    assertThat(fleet.find(W1)).isEmpty();
    assertThat(fleet.order(order("w-1", "w2"))).isInstanceOf(Ordered.Accepted.class);
    settle();
  }

  @Test
  void noticedNodeRunsUntilItIsTaken() {
    fleet.order(order("w-1", "w1"));
    settle();

    simulatedCloud.tpus().preempt("w-1", Optional.of(Duration.ofHours(1)));

    assertThat(fleet.find(W1)).map(CloudMachine::status).contains(CloudMachine.Status.RUNNING);
    simulatedCloud.tpus().preempt("w-1", Optional.empty());
    assertThat(fleet.find(W1)).map(CloudMachine::status).contains(CloudMachine.Status.STOPPED);
    assertThat(fleet.delete(W1)).isTrue();
    settle();
  }

  @Test
  void silentlyDeadNodeStillReportsRunning() {
    fleet.order(order("w-1", "w1"));
    settle();

    simulatedCloud.tpus().kill("w-1", Optional.empty());

    assertThat(fleet.find(W1)).map(CloudMachine::status).contains(CloudMachine.Status.RUNNING);
    assertThat(fleet.delete(W1)).isTrue();
    settle();
  }

  @Test
  void chipQuotaCountsDeadNodes() {
    simulatedCloud.tpus().setChipQuota(OptionalInt.of(4));
    fleet.order(order("w-1", "w1"));
    settle();
    simulatedCloud.tpus().preempt("w-1", Optional.empty());

    assertThat(kind(fleet.order(order("w-2", "w2")))).isEqualTo(Refusal.Kind.QUOTA);

    fleet.delete(W1);
    settle();
    assertThat(fleet.order(order("w-2", "w2"))).isInstanceOf(Ordered.Accepted.class);
    settle();
  }

  @Test
  void soldOutTypesLeaveOthersInStock() {
    simulatedCloud.faultControls().setStock(ZONE + "/v4-8", 0);
    var order = order("w-1", "w1");

    assertThat(kind(fleet.order(order))).isEqualTo(Refusal.Kind.CAPACITY);
    assertThat(tpus.order(TpuOnlyFleet.typed(order, "v2-8"))).isInstanceOf(Ordered.Accepted.class);
    settle();
  }

  @Test
  void moreThanSixtyCreationsAMinuteAreTooFast() {
    simulatedCloud.faultControls().setStock(ZONE, 0);
    // However long it takes to ask so often, it is one minute.
    clock.set(InstantSource.fixed(Instant.now()));
    for (int i = 0; i < TpuLimits.CREATIONS; i++) fleet.order(order("w-" + i, "w" + i));

    assertThat(kind(fleet.order(order("w-99", "w99")))).isEqualTo(Refusal.Kind.RATE);
  }

  @Test
  void lostOrderReplyMakesNoSecondNode() {
    simulatedCloud.faultControls().loseReplies(1, "/google.cloud.tpu.");

    assertThatThrownBy(() -> fleet.order(order("w-1", "w1")))
        .isInstanceOf(UnavailableException.class);

    assertThat(fleet.order(order("w-1", "w1"))).isInstanceOf(Ordered.Exists.class);
    settle();
    assertThat(fleet.list().machines()).hasSize(1);
  }

  @Test
  void aSlowOrderIsPending() {
    simulatedCloud.faultControls().setBootDelay(Duration.ofHours(1));

    var ordered = (Ordered.Accepted) fleet.order(order("w-1", "w1"));

    assertThat(fleet.progress(W1, ordered.operation())).contains(new Progress.Pending());
    assertThat(fleet.find(W1)).map(CloudMachine::status).contains(CloudMachine.Status.STARTING);
    assertThat(fleet.delete(W1)).isTrue();
    settle();
  }

  @Test
  void incompleteListNamesMissingZone() {
    fleet.order(order("w-1", "w1"));
    settle();
    simulatedCloud.faultControls().silenceZones(2, Set.of(ZONE));

    var inventory = fleet.list();

    assertThat(inventory.complete()).isFalse();
    assertThat(inventory.machines()).isEmpty();
    assertThat(inventory.warnings()).anyMatch(warning -> warning.contains(ZONE));
    assertThat(fleet.list().complete()).isTrue();
  }

  @Test
  void unknownTypeIsInvalid() {
    assertThat(kind(tpus.order(order("w-1", "w1")))).isEqualTo(Refusal.Kind.INVALID);
  }

  @Test
  void sliceHasOneHostPerFourChips() throws IOException {
    tpus.order(TpuOnlyFleet.typed(order("w-1", "w1"), "v4-32"));
    settle();
    var node = simulatedCloud.tpus().nodes().getFirst();

    assertThat(node.getNetworkEndpointsCount()).isEqualTo(4);
    assertThat(hosts()).isEqualTo(4);
    assertThat(node.getNetworkEndpointsList().stream().map(NetworkEndpoint::getIpAddress))
        .doesNotHaveDuplicates()
        .allMatch(ip -> ip.startsWith("127."));
    simulatedCloud.tpus().kill("w-1", Optional.of(2));
    assertThatThrownBy(() -> simulatedCloud.tpus().kill("w-1", Optional.of(2)))
        .hasMessageContaining("host 2");
    assertThat(fleet.find(W1)).map(CloudMachine::status).contains(CloudMachine.Status.RUNNING);
  }

  @Test
  void projectSshKeysAreBlockedOnNodes() {
    fleet.order(order("w-1", "w1"));
    settle();

    assertThat(simulatedCloud.tpus().nodes().getFirst().getMetadataMap())
        .containsAllEntriesOf(LoginMetadata.ITEMS)
        .containsEntry("block-project-ssh-keys", "true");
  }

  private long hosts() throws IOException {
    try (var folders = Files.list(home.resolve("cloud/vms/" + ZONE))) {
      return folders.count();
    }
  }
}
