package dev.mayfly.sim.reconcile;

import static dev.mayfly.sim.fixture.ReconcileFixture.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fixture.ReconcileFixture;
import dev.mayfly.sim.spec.ClusterBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** How reconciling handles the cloud's replies to machine orders. */
class MachineOrdersTest {
  private static final Refusal SOLD_OUT =
      new Refusal(Refusal.Kind.CAPACITY, "ZONE_RESOURCE_POOL_EXHAUSTED", "none left");

  @Test
  void twoProcessesDoNotLaunchTwice() {
    var b = new ReconcileFixture();
    b.job("reddit", 2);
    var second = b.rounds();
    // The second process reconciles between the first one's plan and its order.
    b.fleet.orders =
        Optional.of(order -> {
          b.fleet.orders = Optional.empty();
          second.tick();
          return b.machines.order(order);
        });

    b.tick();

    assertThat(b.machines.ever()).hasSize(1);
  }

  @Test
  void machineCarriesClusterPoolAndOwnerLabels() {
    var b = new ReconcileFixture();
    var spec = ReconcileFixture.spec(pool(1, 1, ReconcileFixture.ZONE));
    b.apply(
        ClusterBuilder.named("lab").pools(spec.pools()).owner("Ada.Lovelace@lab.example").build(),
        b.time.instant().plusMillis(1));

    b.tick();

    assertThat(b.machines.ever())
        .singleElement()
        .extracting(SimMachine::labels)
        .isEqualTo(
            Map.of(
                "mayfly-cluster",
                b.uid,
                "mayfly-pool",
                "cpu",
                "mayfly-worker",
                b.only().name(),
                "mayfly-owner",
                "ada-lovelace-lab-example"));
  }

  @Test
  void machineCarriesItsJobAndTheJobsOwner() {
    var b = new ReconcileFixture();
    var spec = ReconcileFixture.spec(pool(0, 1, ReconcileFixture.ZONE));
    b.apply(
        ClusterBuilder.named("lab").pools(spec.pools()).owner("the-lab").build(),
        b.time.instant().plusMillis(1));
    b.job("reddit", 2, Optional.of("Ada.Lovelace@lab.example"));
    // The process that stored the intent ends before the order; the next one orders the same.
    b.fleet.orders =
        Optional.of(_ -> {
          b.fleet.orders = Optional.empty();
          throw new UnavailableException("away");
        });

    b.tick();
    b.tick();

    assertThat(b.machines.ever())
        .singleElement()
        .extracting(SimMachine::labels, InstanceOfAssertFactories.map(String.class, String.class))
        .containsEntry("mayfly-job", "reddit")
        .containsEntry("mayfly-owner", "ada-lovelace-lab-example");
  }

  @Test
  void machineGetsMountsAndImageOfItsCluster() {
    var b = new ReconcileFixture();
    var mounts =
        List.of(
            new Mount(Mount.Kind.NFS, "10.0.0.2:/vol", "/mnt/vol", false),
            new Mount(Mount.Kind.GCS, "lab-data", "/mnt/data", true));
    b.apply(
        new ClusterSpec(
            "lab",
            "gs://lab",
            Map.of(),
            List.of(pool(1, 1, ReconcileFixture.ZONE)),
            Optional.empty(),
            Map.of(),
            Optional.of("docker.io/lab/job:1"),
            Map.of(),
            mounts,
            RolloutSpec.DEFAULT,
            TaskRights.NONE,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(StorageLocation.region(ReconcileFixture.ZONE), "mirror:5000/job"),
            Optional.empty(),
            Optional.empty()),
        b.time.instant().plusMillis(1));

    b.tick();

    var told = b.machines.ever().getFirst().metadata();
    assertThat(Mount.parse(told.get("mayfly-mounts"))).isEqualTo(mounts);
    assertThat(told).containsEntry("mayfly-image", "mirror:5000/job/job:1");
  }

  @Test
  void orderWithLostReplyIsAdopted() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.fleet.orders =
        Optional.of(order -> {
          b.machines.order(order);
          throw new UnavailableException("the reply was lost");
        });
    assertThat(b.tick()).singleElement().asString().contains("the reply was lost");
    assertThat(b.only().state()).isInstanceOf(WorkerState.Launching.class);
    b.fleet.orders = Optional.empty();

    b.tick();

    assertThat(b.machines.ever()).hasSize(1);
    assertThat(b.only().state()).isInstanceOf(WorkerState.Booting.class);
    assertThat(b.only().instanceId()).contains(b.machines.ever().getFirst().id());
  }

  @Test
  void lostOrderIsRepeatedWithAnotherNonce() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.fleet.orders =
        Optional.of(order -> {
          throw new UnavailableException("no route");
        });
    b.tick();
    b.fleet.orders = Optional.empty();

    b.tick();

    assertThat(b.machines.ever()).hasSize(1);
    assertThat(b.only().nonceHash().split(",")).hasSize(2);
    assertThat(b.only().state()).isInstanceOf(WorkerState.Booting.class);
  }

  @Test
  void stockoutMovesOrderToAnotherZone() {
    var b = new ReconcileFixture(pool(0, 10, "us-a", "us-b"));
    b.job("reddit", 6);
    b.machines.stock("us-a", 0);

    b.tick();
    assertThat(b.workers()).isEmpty();
    assertThat(b.events("refused").getFirst()).startsWith("ZONE_RESOURCE_POOL_EXHAUSTED");
    b.tick();

    assertThat(b.workers()).hasSize(3).extracting(Worker::zone).containsOnly("us-b");
  }

  @Test
  void refusingZoneEndsItsOrders() {
    var b = new ReconcileFixture();
    b.job("reddit", 10);
    var asked = new AtomicInteger();
    b.fleet.orders =
        Optional.of(order -> {
          asked.incrementAndGet();
          return new Fleet.Ordered.Refused(SOLD_OUT);
        });

    b.tick();

    assertThat(asked).hasValue(1);
    assertThat(b.workers()).isEmpty();
  }

  @Test
  void personFixableRefusalIsRetriedAfterTenMinutes() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    var asked = new AtomicInteger();
    b.fleet.orders =
        Optional.of(order -> {
          asked.incrementAndGet();
          return new Fleet.Ordered.Refused(
              new Refusal(Refusal.Kind.DENIED, "forbidden", "may not act as the agent's account"));
        });

    for (var i = 0; i < 10; i++) b.tick();
    assertThat(asked).hasValue(1);
    b.tick();
    b.tick();

    assertThat(asked).hasValue(2);
    assertThat(b.events("refused")).contains("forbidden: may not act as the agent's account");
  }

  @Test
  void refusalOfExistingMachineIsIgnored() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.fleet.orders =
        Optional.of(order -> {
          b.machines.order(order);
          return new Fleet.Ordered.Refused(SOLD_OUT);
        });

    b.tick();

    assertThat(b.only().state()).isInstanceOf(WorkerState.Booting.class);
  }

  @Test
  void lateOrderFailureIsRefusal() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.fleet.orders = Optional.of(order -> new Fleet.Ordered.Accepted("op"));
    b.tick();
    b.fleet.progress = Optional.of(new Fleet.Progress.Failed(SOLD_OUT));

    b.tick();

    assertThat(b.workers()).isEmpty();
    assertThat(b.ledger.query(new LedgerQuery.Stockouts()).requireComplete()).hasSize(1);
  }
}
