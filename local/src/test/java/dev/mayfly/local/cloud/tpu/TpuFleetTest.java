package dev.mayfly.local.cloud.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.tpu.v2.NetworkEndpoint;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Machine;
import dev.mayfly.gcp.LoginMetadata;
import dev.mayfly.gcp.tpu.CloudTpu;
import dev.mayfly.gcp.tpu.TpuSettings;
import dev.mayfly.local.cloud.Cloud;
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
  private static final Machine.Name W1 = order("w-1", "w1").name();

  @TempDir Path home;
  private final AtomicReference<InstantSource> clock =
      new AtomicReference<>(InstantSource.system());
  private Cloud cloud;
  private Fleet tpus;
  private Fleet fleet;

  @BeforeEach
  void start() throws IOException {
    cloud = TpuClouds.open(home, () -> clock.get().instant());
    tpus = CloudTpu.fleet(TpuSettings.of("lab").at(cloud.grpcEndpoint()));
    fleet = new AllTpus(tpus, "v4-8", Provisioning.SPOT);
  }

  @AfterEach
  void stop() {
    TpuClouds.close(cloud);
  }

  @Override
  protected Fleet fleet() {
    return fleet;
  }

  @Override
  protected void settle() {
    TpuClouds.settle(cloud);
  }

  @Override
  protected void sellOut(String zone) {
    cloud.dials().setStock(zone, 0);
  }

  @Override
  protected void takeBack(Machine.Name name) {
    cloud.tpus().vanish(name.name());
  }

  @Test
  void aPreemptedNodeKeepsItsNameUntilItIsDeleted() {
    fleet.order(order("w-1", "w1"));
    settle();

    cloud.tpus().preempt("w-1");

    assertThat(fleet.find(W1)).map(Machine::status).contains(Machine.Status.STOPPED);
    assertThat(kind(fleet.order(order("w-1", "w2")))).isEqualTo(Refusal.Kind.INVALID);
    assertThat(fleet.delete(W1)).isTrue();
    settle();
    assertThat(fleet.find(W1)).isEmpty();
    assertThat(fleet.order(order("w-1", "w2"))).isInstanceOf(Ordered.Accepted.class);
    settle();
  }

  @Test
  void aNodeThatDiedSilentlyStillSaysThatItRuns() {
    fleet.order(order("w-1", "w1"));
    settle();

    cloud.tpus().kill("w-1", Optional.empty());

    assertThat(fleet.find(W1)).map(Machine::status).contains(Machine.Status.RUNNING);
    assertThat(fleet.delete(W1)).isTrue();
    settle();
  }

  @Test
  void aLimitOfChipsIsAQuotaAndADeadNodeUsesIt() {
    cloud.tpus().setChipQuota(OptionalInt.of(4));
    fleet.order(order("w-1", "w1"));
    settle();
    cloud.tpus().preempt("w-1");

    assertThat(kind(fleet.order(order("w-2", "w2")))).isEqualTo(Refusal.Kind.QUOTA);

    fleet.delete(W1);
    settle();
    assertThat(fleet.order(order("w-2", "w2"))).isInstanceOf(Ordered.Accepted.class);
    settle();
  }

  @Test
  void soldOutTypesLeaveOthersInStock() {
    cloud.dials().setStock(ZONE + "/v4-8", 0);
    var order = order("w-1", "w1");

    assertThat(kind(fleet.order(order))).isEqualTo(Refusal.Kind.CAPACITY);
    assertThat(tpus.order(AllTpus.typed(order, "v2-8"))).isInstanceOf(Ordered.Accepted.class);
    settle();
  }

  @Test
  void moreThanSixtyCreationsAMinuteAreTooFast() {
    cloud.dials().setStock(ZONE, 0);
    // However long it takes to ask so often, it is one minute.
    clock.set(InstantSource.fixed(Instant.now()));
    for (int i = 0; i < TpuLimits.CREATIONS; i++) fleet.order(order("w-" + i, "w" + i));

    assertThat(kind(fleet.order(order("w-99", "w99")))).isEqualTo(Refusal.Kind.RATE);
  }

  @Test
  void anOrderWhoseReplyWasLostIsRepeatedWithoutASecondNode() {
    cloud.dials().loseReplies(1, "/google.cloud.tpu.");

    assertThatThrownBy(() -> fleet.order(order("w-1", "w1"))).isInstanceOf(Unavailable.class);

    assertThat(fleet.order(order("w-1", "w1"))).isInstanceOf(Ordered.Exists.class);
    settle();
    assertThat(fleet.list().machines()).hasSize(1);
  }

  @Test
  void aSlowOrderIsPending() {
    cloud.dials().setBootDelay(Duration.ofHours(1));

    var ordered = (Ordered.Accepted) fleet.order(order("w-1", "w1"));

    assertThat(fleet.progress(W1, ordered.operation())).contains(new Progress.Pending());
    assertThat(fleet.find(W1)).map(Machine::status).contains(Machine.Status.STARTING);
    assertThat(fleet.delete(W1)).isTrue();
    settle();
  }

  @Test
  void aListThatLacksAZoneSaysSo() {
    fleet.order(order("w-1", "w1"));
    settle();
    cloud.dials().silenceZones(2, Set.of(ZONE));

    var inventory = fleet.list();

    assertThat(inventory.complete()).isFalse();
    assertThat(inventory.machines()).isEmpty();
    assertThat(inventory.warnings()).anyMatch(warning -> warning.contains(ZONE));
    assertThat(fleet.list().complete()).isTrue();
  }

  @Test
  void aTypeThatIsNoneIsInvalid() {
    assertThat(kind(tpus.order(order("w-1", "w1")))).isEqualTo(Refusal.Kind.INVALID);
  }

  @Test
  void aSliceHasAHostForEveryFourChipsAndOneOfThemMayDie() throws IOException {
    tpus.order(AllTpus.typed(order("w-1", "w1"), "v4-32"));
    settle();
    var node = cloud.tpus().nodes().getFirst();

    assertThat(node.getNetworkEndpointsCount()).isEqualTo(4);
    assertThat(hosts()).isEqualTo(4);
    assertThat(node.getNetworkEndpointsList().stream().map(NetworkEndpoint::getIpAddress))
        .doesNotHaveDuplicates()
        .allMatch(ip -> ip.startsWith("127."));
    cloud.tpus().kill("w-1", Optional.of(2));
    assertThatThrownBy(() -> cloud.tpus().kill("w-1", Optional.of(2)))
        .hasMessageContaining("host 2");
    assertThat(fleet.find(W1)).map(Machine::status).contains(Machine.Status.RUNNING);
  }

  @Test
  void projectSshKeysAreBlockedOnNodes() {
    fleet.order(order("w-1", "w1"));
    settle();

    assertThat(cloud.tpus().nodes().getFirst().getMetadataMap())
        .containsAllEntriesOf(LoginMetadata.ITEMS)
        .containsEntry("block-project-ssh-keys", "true");
  }

  private long hosts() throws IOException {
    try (var folders = Files.list(home.resolve("cloud/vms/" + ZONE))) {
      return folders.count();
    }
  }
}
