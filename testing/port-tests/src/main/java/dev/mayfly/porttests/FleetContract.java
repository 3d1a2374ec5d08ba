package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.CloudMachine.Status;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Leftover;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Fleet.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of {@link Fleet}. */
public abstract class FleetContract {
  protected static final String ZONE = "us-central1-a";
  private static final long GIB = 1L << 30;

  /** A fleet without machines; always the same within a test. */
  protected abstract Fleet fleet();

  /** Waits until all requests to the fleet have taken effect. */
  protected abstract void settle();

  /** Preempts a running machine without notice; it is gone on return. */
  protected abstract void preempt(CloudMachine.Name name);

  /** Makes the next deleted machine leave its disk; false if machines never leave one. */
  protected boolean keepNextDisk() {
    return false;
  }

  /** An order of a machine for cluster {@code c1}, its request id derived from name and worker. */
  protected static Order order(String name, String worker) {
    var pool =
        new PoolSpec(
            "cpu",
            "n2-standard-2",
            Resources.cpu(2, 8 * GIB),
            List.of(ZONE),
            Provisioning.SPOT,
            0,
            10,
            Duration.ofMinutes(10),
            Duration.ofHours(6),
            MachineSpec.PLAIN);
    var labels =
        Map.of(CloudMachine.CLUSTER, "c1", CloudMachine.POOL, "cpu", CloudMachine.WORKER, worker);
    return new Order(
        new CloudMachine.Name(ZONE, name),
        pool,
        labels,
        Map.of("mayfly-nonce", "n0nce"),
        uuid(name + " " + worker));
  }

  protected static String uuid(String intent) {
    return UUID.nameUUIDFromBytes(intent.getBytes(StandardCharsets.UTF_8)).toString();
  }

  @Test
  void orderedMachineEventuallyRuns() {
    var order = order("w-1", "w1");

    var operation = accepted(fleet().order(order));
    settle();

    assertThat(fleet().progress(order.name(), operation)).contains(new Progress.Done());
    assertThat(fleet().find(order.name()))
        .hasValueSatisfying(cloudMachine -> {
          assertThat(cloudMachine.name()).isEqualTo(order.name());
          assertThat(cloudMachine.status()).isEqualTo(Status.RUNNING);
          assertThat(cloudMachine.labels()).containsAllEntriesOf(order.labels());
        });
  }

  @Test
  void aRepeatedOrderMakesNoSecondMachine() {
    var order = order("w-1", "w1");
    var first = accepted(fleet().order(order));

    assertThat(fleet().order(order))
        .satisfiesAnyOf(
            again -> assertThat(again).isEqualTo(new Ordered.Accepted(first)),
            again -> assertThat(again).isInstanceOf(Ordered.Exists.class));

    settle();
    assertThat(fleet().list().machines()).hasSize(1);
  }

  @Test
  void anOrderForgottenByTheServiceAdoptsItsMachine() {
    var order = order("w-1", "w1");
    accepted(fleet().order(order));
    settle();
    var forgotten =
        new Order(order.name(), order.pool(), order.labels(), order.metadata(), uuid("other"));

    var ordered = fleet().order(forgotten);

    assertThat(ordered)
        .isInstanceOfSatisfying(
            Ordered.Exists.class,
            exists -> assertThat(fleet().find(order.name())).contains(exists.machine()));
  }

  @Test
  void nameOfAnotherWorkersMachineIsRefused() {
    accepted(fleet().order(order("w-1", "w1")));
    settle();

    var ordered = fleet().order(order("w-1", "w2"));

    assertThat(kind(ordered)).isEqualTo(Refusal.Kind.INVALID);
    assertThat(fleet().list().machines()).hasSize(1);
  }

  @Test
  void deletedMachineIsGone() {
    var order = order("w-1", "w1");
    accepted(fleet().order(order));
    settle();

    assertThat(fleet().delete(order.name())).isTrue();
    settle();

    assertThat(fleet().find(order.name())).isEmpty();
    assertThat(fleet().delete(order.name())).isFalse();
    assertThat(fleet().list().machines()).isEmpty();
  }

  @Test
  void deletingMissingMachineIsNoError() {
    assertThat(fleet().delete(new CloudMachine.Name(ZONE, "never"))).isFalse();
    assertThat(fleet().find(new CloudMachine.Name(ZONE, "never"))).isEmpty();
  }

  @Test
  void aMachineMayBeDeletedTwice() {
    var order = order("w-1", "w1");
    accepted(fleet().order(order));
    settle();
    fleet().delete(order.name());

    // Either result is correct: the machine exists until it is gone.
    fleet().delete(order.name());
    settle();

    assertThat(fleet().find(order.name())).isEmpty();
  }

  @Test
  void deletedMachinesNameIsReusable() {
    accepted(fleet().order(order("w-1", "w1")));
    settle();
    var first = fleet().find(order("w-1", "w1").name()).orElseThrow();
    fleet().delete(first.name());
    settle();

    accepted(fleet().order(order("w-1", "w2")));
    settle();

    assertThat(fleet().find(first.name()))
        .hasValueSatisfying(second -> assertThat(second.id()).isNotEqualTo(first.id()));
  }

  @Test
  void preemptedMachineIsGone() {
    var order = order("w-1", "w1");
    accepted(fleet().order(order));
    settle();

    preempt(order.name());

    assertThat(fleet().find(order.name())).isEmpty();
    assertThat(fleet().delete(order.name())).isFalse();
  }

  @Test
  void listIsCompleteAndHasEveryMachine() {
    accepted(fleet().order(order("w-1", "w1")));
    accepted(fleet().order(order("w-2", "w2")));
    settle();

    var inventory = fleet().list();

    assertThat(inventory.complete()).isTrue();
    assertThat(inventory.warnings()).isEmpty();
    assertThat(inventory.machines())
        .extracting(CloudMachine::name)
        .containsExactlyInAnyOrder(order("w-1", "w1").name(), order("w-2", "w2").name());
    assertThat(inventory.machines())
        .allSatisfy(
            cloudMachine -> assertThat(fleet().find(cloudMachine.name())).contains(cloudMachine));
  }

  @Test
  void attachedDisksAreNotLeftovers() {
    var order = order("w-1", "w1");
    accepted(fleet().order(order));
    settle();
    assertThat(fleet().leftovers()).isEmpty();

    fleet().delete(order.name());
    settle();
    assertThat(fleet().leftovers()).isEmpty();
  }

  @Test
  void leftoverDiskIsListedAndDeletedOnce() {
    var order = order("w-1", "w1");
    assumeTrue(keepNextDisk(), "these machines leave no disks");
    accepted(fleet().order(order));
    settle();
    fleet().delete(order.name());
    settle();

    assertThat(fleet().leftovers())
        .singleElement()
        .satisfies(left -> {
          assertThat(left.kind()).isEqualTo(Leftover.Kind.DISK);
          assertThat(left.place()).isEqualTo(ZONE);
          assertThat(left.labels()).containsAllEntriesOf(order.labels());
        });
    var left = fleet().leftovers().getFirst();

    assertThat(fleet().delete(left)).isTrue();
    settle();

    assertThat(fleet().leftovers()).isEmpty();
    assertThat(fleet().delete(left)).isFalse();
  }

  @Test
  void reusedDiskIsNotDeleted() {
    var order = order("w-1", "w1");
    assumeTrue(keepNextDisk(), "these machines leave no disks");
    accepted(fleet().order(order));
    settle();
    fleet().delete(order.name());
    settle();
    var left = fleet().leftovers().getFirst();
    fleet().delete(left);
    accepted(fleet().order(order("w-1", "w2")));
    settle();

    assertThat(fleet().delete(left)).isFalse();
    assertThat(fleet().find(order.name())).isPresent();
  }

  @Test
  void unknownOperationIsEmpty() {
    assertThat(fleet().progress(new CloudMachine.Name(ZONE, "w-1"), "operation-none")).isEmpty();
  }

  private static String accepted(Ordered ordered) {
    assertThat(ordered).isInstanceOf(Ordered.Accepted.class);
    return ((Ordered.Accepted) ordered).operation();
  }

  /** The kind of an immediate refusal. */
  protected static Refusal.Kind kind(Ordered ordered) {
    assertThat(ordered).isInstanceOf(Ordered.Refused.class);
    return ((Ordered.Refused) ordered).refusal().kind();
  }
}
