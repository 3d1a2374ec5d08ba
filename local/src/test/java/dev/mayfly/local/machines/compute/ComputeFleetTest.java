package dev.mayfly.local.machines.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.compute.v1.Instance;
import dev.mayfly.core.error.UnavailableException;
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
import dev.mayfly.porttests.StockoutContract;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
@Timeout(300)
class ComputeFleetTest extends StockoutContract {
  private static final CloudMachine.Name W1 = order("w-1", "w1").name();

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

  @Override
  protected Fleet fleet() {
    return fleet;
  }

  @Override
  protected void settle() {
    test.settle();
  }

  @Override
  protected void exhaustZone(String zone) {
    test.simulatedCloud.faultControls().setStock(zone, 0);
  }

  @Override
  protected boolean keepNextDisk() {
    test.simulatedCloud.faultControls().keepDisks(1);
    return true;
  }

  @Override
  protected void preempt(CloudMachine.Name name) {
    test.simulatedCloud.machines().preempt(name.name(), Optional.empty());
    try {
      test.nextSystemEvent();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void spotMachineHasMaximumRunDuration() {
    fleet.order(order("w-1", "w1"));

    var scheduling = test.get("w-1").getScheduling();
    assertThat(scheduling.getProvisioningModel()).isEqualTo("SPOT");
    assertThat(scheduling.getInstanceTerminationAction()).isEqualTo("DELETE");
    assertThat(scheduling.getMaxRunDuration().getSeconds())
        .isEqualTo(Duration.ofHours(6).toSeconds());
    assertThat(scheduling.getAutomaticRestart()).isFalse();
  }

  @Test
  void machineHasNoExternalAddressOrLeftoverDisk() {
    fleet.order(order("w-1", "w1"));

    Instance instance = test.get("w-1");
    assertThat(instance.getNetworkInterfaces(0).getAccessConfigsList()).isEmpty();
    assertThat(instance.getDisksList()).allMatch(disk -> disk.getAutoDelete());
    assertThat(instance.getMetadata().getItemsList())
        .anyMatch(item -> item.getKey().equals("mayfly-nonce") && item.getValue().equals("n0nce"));
  }

  @Test
  void projectsKeysOpenNoMachine() {
    fleet.order(order("w-1", "w1"));

    assertThat(test.get("w-1").getMetadata().getItemsList())
        .map(item -> item.getKey() + "=" + item.getValue())
        .contains("block-project-ssh-keys=true", "enable-oslogin=true", "serial-port-enable=false");
  }

  @Test
  void lostOrderReplyMakesNoSecondMachine() {
    test.simulatedCloud.faultControls().loseReplies(1, "/compute/");

    assertThatThrownBy(() -> fleet.order(order("w-1", "w1")))
        .isInstanceOf(UnavailableException.class);

    assertThat(fleet.order(order("w-1", "w1"))).isInstanceOf(Ordered.Accepted.class);
    settle();
    assertThat(fleet.list().machines()).hasSize(1);
  }

  @Test
  void aSlowOrderIsPending() {
    test.simulatedCloud.faultControls().setBootDelay(Duration.ofHours(1));

    var ordered = (Ordered.Accepted) fleet.order(order("w-1", "w1"));

    assertThat(fleet.progress(W1, ordered.operation())).contains(new Progress.Pending());
    assertThat(fleet.find(W1)).map(CloudMachine::status).contains(CloudMachine.Status.STARTING);
    fleet.delete(W1);
  }

  @Test
  void quotaAndRateAreTwoAnswers() {
    test.simulatedCloud.faultControls().setCpuQuota(OptionalInt.of(1));
    assertThat(kind(fleet.order(order("w-1", "w1")))).isEqualTo(Refusal.Kind.QUOTA);

    test.simulatedCloud.faultControls().limitRate(1);
    assertThat(kind(fleet.order(order("w-2", "w2")))).isEqualTo(Refusal.Kind.RATE);

    test.simulatedCloud.faultControls().limitRate(10);
    assertThatThrownBy(() -> fleet.find(W1))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("rateLimitExceeded");
    test.simulatedCloud.faultControls().limitRate(0);
  }

  @Test
  void whatTheServiceDoesNotTakeIsInvalid() {
    var unknownType = PoolToInstanceTest.withType(order("w-1", "w1"), "n2-standard-3");
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
  void incompleteListNamesMissingZone() {
    fleet.order(order("w-1", "w1"));
    settle();
    test.simulatedCloud.faultControls().silenceZones(1, Set.of(ZONE));

    var inventory = fleet.list();

    assertThat(inventory.complete()).isFalse();
    assertThat(inventory.machines()).isEmpty();
    assertThat(inventory.warnings()).anyMatch(warning -> warning.contains(ZONE));
    assertThat(fleet.list().complete()).isTrue();
  }

  @Test
  void unlabelledMachineIsNeitherListedNorDeleted() {
    test.run(TestCloud.machine("theirs").clearLabels());

    assertThat(fleet.list().machines()).isEmpty();
    assertThat(fleet.delete(new CloudMachine.Name(ZONE, "theirs"))).isFalse();
    assertThat(test.get("theirs").getStatus()).isEqualTo("RUNNING");
  }

  @Test
  void aStoppedMachineIsStoppedAndCanBeDeleted() {
    fleet.order(order("w-1", "w1"));
    settle();
    test.simulatedCloud.machines().stop("w-1");
    settle();

    assertThat(fleet.find(W1)).map(CloudMachine::status).contains(CloudMachine.Status.STOPPED);
    assertThat(fleet.delete(W1)).isTrue();
    settle();
    assertThat(fleet.find(W1)).isEmpty();
  }

  @Test
  void invalidEndpointIsRefused() {
    assertThatThrownBy(() -> ComputeSettings.of("p").withEndpoint("http://127.0.0.1:1/"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without a slash");
  }

  @Test
  void stockIsByTypeAndQuotaByRegion() {
    test.simulatedCloud.faultControls().setStock(FaultControls.stockOf(ZONE, "g2-standard-4"), 0);
    assertThat(kind(fleet.order(PoolToInstanceTest.withType(order("w-1", "w1"), "g2-standard-4"))))
        .isEqualTo(Refusal.Kind.CAPACITY);
    assertThat(fleet.order(PoolToInstanceTest.withType(order("w-2", "w2"), "g2-standard-8")))
        .isInstanceOf(Ordered.Accepted.class);

    test.simulatedCloud.faultControls().setQuota("gpus", "us-central1", OptionalInt.of(1));
    assertThat(kind(fleet.order(PoolToInstanceTest.withType(order("w-3", "w3"), "g2-standard-12"))))
        .isEqualTo(Refusal.Kind.QUOTA);
    assertThat(fleet.order(order("w-4", "w4"))).isInstanceOf(Ordered.Accepted.class);
  }

  @Test
  void aRefusalWithoutDetailsAndStatusIsUnderstood() {
    test.simulatedCloud.faultControls().setBareErrors(true);
    test.simulatedCloud.faultControls().setStock(ZONE, 0);

    var ordered = fleet.order(order("w-1", "w1"));

    assertThat(ordered)
        .isInstanceOfSatisfying(
            Ordered.Refused.class,
            refused -> {
              assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.CAPACITY);
              assertThat(refused.refusal().code()).isEqualTo("ZONE_RESOURCE_POOL_EXHAUSTED");
            });
  }

  private static Order withLabel(Order order, String worker) {
    var labels = Map.of(CloudMachine.CLUSTER, "c1", CloudMachine.WORKER, worker);
    return new Order(order.name(), order.pool(), labels, order.metadata(), uuid(worker));
  }
}
