package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.catalog.FlexStart;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a machine that was ordered is awaited. */
class MachineStartTest {
  @Test
  void orderInTheCloudsQueueKeepsItsPlace() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.fleet.progress = Optional.of(new Fleet.Progress.Queued("WAITING_FOR_RESOURCES"));
    b.fleet.orders = Optional.of(order -> new Fleet.Ordered.Accepted("op"));
    b.tick();
    var name = b.only().name();
    b.tick();
    var since = b.time.instant();

    for (var i = 0; i < 200; i++) b.tick();
    assertThat(b.only().name()).isEqualTo(name);
    assertThat(b.only().state())
        .isInstanceOfSatisfying(
            WorkerState.Booting.class,
            booting ->
                assertThat(booting.queue())
                    .contains(new WorkerState.CloudQueue(since, "WAITING_FOR_RESOURCES")));
    assertThat(b.views().workers("lab", false).getFirst().state()).isEqualTo("queued");
  }

  /** Its operation may be over, or its cloud may have none. */
  @Test
  void machineThatSaysQueuedKeepsItsPlace() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.fleet.queued = true;
    b.tick();
    var name = b.only().name();

    for (var i = 0; i < 200; i++) b.tick();

    assertThat(b.only().name()).isEqualTo(name);
    assertThat(b.views().workers("lab", false).getFirst().state()).isEqualTo("queued");
  }

  private static ReconcileFixture flexible(String... zones) {
    var b = new ReconcileFixture(ReconcileFixture.flexible(zones));
    b.job("reddit", 1);
    return b;
  }

  /** A quarter of the time that a machine is awaited which the cloud makes. */
  @Test
  void requestByFlexStartIsToldAtOnce() {
    var b = flexible("us-a");
    b.machines.stock("us-a", 0);
    b.tick();
    b.tick();
    b.tick();

    var shown = b.views().workers("lab", false).getFirst();
    assertThat(shown.state()).isEqualTo("queued");
    var requested = b.machines.ever().getFirst().createdAt().truncatedTo(ChronoUnit.SECONDS);
    assertThat(shown.reason())
        .contains(
            "requested by flex-start at %s; the cloud keeps the request until %s, and its end counts as a lack of stock in zone us-a"
                .formatted(requested, requested.plus(FlexStart.WAIT)));
  }

  @Test
  void endedRequestByFlexStartIsRefusal() {
    var b = flexible("us-a", "us-b");
    b.machines.stock("us-a", 0);
    for (var i = 0; i < 119; i++) b.tick();
    assertThat(b.only().zone()).isEqualTo("us-a");

    for (var i = 0; i < 4; i++) b.tick();

    assertThat(b.machines.refusals().stockouts("cpu", "us-a")).isEqualTo(1);
    assertThat(b.machines.ever().getLast().name().zone()).isEqualTo("us-b");
  }

  /** Whatever its operation says. */
  @Test
  void droppedRequestByFlexStartIsRefusal() {
    var b = flexible("us-a", "us-b");
    b.machines.stock("us-a", 0);
    for (var i = 0; i < 3; i++) b.tick();
    b.machines.delete(b.machines.ever().getFirst().name());
    b.fleet.progress = Optional.of(new Fleet.Progress.Done());

    for (var i = 0; i < 3; i++) b.tick();

    assertThat(b.machines.ever().getLast().name().zone()).isEqualTo("us-b");
  }

  @Test
  void bootDeadlineCountsFromTheGrant() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.fleet.progress = Optional.of(new Fleet.Progress.Queued("ACCEPTED"));
    b.fleet.orders =
        Optional.of(order -> {
          b.machines.order(order);
          return new Fleet.Ordered.Accepted("op");
        });
    b.tick();
    var name = b.only().name();
    for (var i = 0; i < 30; i++) b.tick();

    b.fleet.progress = Optional.of(new Fleet.Progress.Done());
    for (var i = 0; i < 10; i++) b.tick();
    assertThat(b.worker(name).state().live()).as("nine minutes after its grant").isTrue();
    b.tick();
    assertThat(b.worker(name).state().live()).isFalse();
  }

  @Test
  void silentMachineIsDeletedAfterDeadline() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();

    for (var i = 0; i < 12; i++) b.tick();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(b.machines.ever().getFirst().gone()).isTrue();
  }

  private static PoolSpec slices() {
    return new PoolSpec(
        "pod",
        "v4-16",
        Resources.cpu(4, 8L << 30),
        List.of(ReconcileFixture.ZONE),
        Provisioning.SPOT,
        1,
        1,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  /** The first host has reported, and the other one has not. */
  private static String lacksAHost(ReconcileFixture b) {
    var name = b.only().name();
    var who = new Incarnation("7", "b", b.time.instant());
    b.change(name, w -> w.withSync(who, 1, Resources.cpu(4, 8L << 30), b.time.instant()));
    return name;
  }

  /** The hosts of a late slice boot one after the other. */
  @Test
  void sliceHostsAreAwaitedBriefly() {
    var b = new ReconcileFixture(slices());
    for (var i = 0; i < 10; i++) b.tick();
    var name = lacksAHost(b);

    for (var i = 0; i < 2; i++) b.tick();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Booting.class);
    b.tick();
    assertThat(b.worker(name).state().live()).isFalse();
  }

  @Test
  void sliceThatLacksAHostIsGivenUpSoon() {
    var b = new ReconcileFixture(slices());
    b.tick();
    var name = lacksAHost(b);

    for (var i = 0; i < 4; i++) b.tick();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Booting.class);
    b.tick();

    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class,
            lost ->
                assertThat(lost.reason())
                    .isEqualTo("host 1 of 2 did not report within 5m of the first"));
  }

  /** While the control plane is away no host can report, and the boot deadline passes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void outageLosesNoSliceWhoseHostsBoot(int ticksBefore) {
    var b = new ReconcileFixture(slices());
    b.tick();
    var name = lacksAHost(b);
    for (var i = 0; i < ticksBefore; i++) b.tick();

    b.time.advance(Duration.ofMinutes(15));
    b.tick();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Booting.class);
    b.tick();

    assertThat(b.worker(name).state().live()).isFalse();
  }
}
