package dev.mayfly.sim.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.clusters.SliceCommands;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.state.worker.LeaseRevoker;
import dev.mayfly.core.state.worker.WorkerTransitions;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which machines people are told of: bad ones and lost reservations, not those that were taken. */
class MachineNotificationsTest {
  private ReconcileFixture b = new ReconcileFixture();

  private void pool(Provisioning provisioning) {
    var like = ReconcileFixture.pool(0, 10, ReconcileFixture.ZONE);
    b =
        new ReconcileFixture(
            new PoolSpec(
                like.name(),
                like.machineType(),
                like.visible(),
                like.zones(),
                provisioning,
                0,
                10,
                like.idleAfter(),
                like.life(),
                MachineSpec.PLAIN));
  }

  private String running() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.advance(Duration.ofSeconds(30));
    b.makeReady(name);
    return name;
  }

  private VersionedDocument<Worker> stored(String name) {
    return b.ledger.read(b.worker(name).key()).orElseThrow();
  }

  private void lose(String name, FailureCause failureCause) {
    assertThat(
            new LeaseRevoker(b.context)
                .workerLost(stored(name), failureCause, "silent for 40 s", true))
        .isTrue();
  }

  /** {@code node-bad worker lost}. */
  private List<String> owed() {
    return b.ledger.query(new LedgerQuery.PendingNotifications(99)).requireComplete().stream()
        .map(VersionedDocument::value)
        .map(MachineNotificationsTest::text)
        .toList();
  }

  private static String text(EventRecord event) {
    return event.notification().orElseThrow().kind().word()
        + " "
        + event.about().replaceAll("/.*", "")
        + " "
        + event.what();
  }

  private static UserCommand.CreateSlice slice() {
    return new UserCommand.CreateSlice(
        "lab",
        "big",
        "v4-8",
        1,
        Provisioning.ON_DEMAND,
        Optional.empty(),
        Optional.empty(),
        Optional.of("us-central2-b"),
        Optional.empty());
  }

  private void unfit(String name) {
    b.change(name, w -> w.withProblem(Optional.of(MachineProblem.Kind.OTHER.of("no driver"))));
  }

  @Test
  void preemptedSpotMachineIsNotBad() {
    var name = running();
    var id = b.worker(name).instanceId().orElseThrow();

    b.machineEvents.handle(
        new MachineEvent(
            ReconcileFixture.ZONE, name, id, MachineEvent.Kind.PREEMPTED, b.time.instant()));
    b.tick();

    assertThat(owed()).isEmpty();
  }

  @Test
  void silentMachineOnDemandIsBad() {
    pool(Provisioning.ON_DEMAND);

    lose(running(), FailureCause.LOST);

    assertThat(owed()).containsExactly("node-bad worker lost");
  }

  @Test
  void silentSpotMachineIsBadIfStillThere() {
    var name = running();
    lose(name, FailureCause.LOST);
    assertThat(owed()).isEmpty();

    b.tick();
    b.tick();

    assertThat(owed()).containsExactly("node-bad worker silent");
    assertThat(b.events("silent")).first().asString().contains("silent for 40 s", "did not take");
  }

  @Test
  void silentSpotMachineThatIsGoneWasTaken() {
    var name = running();
    lose(name, FailureCause.LOST);
    b.machines.delete(WorkerTransitions.machineName(b.worker(name)));
    b.time.advance(Duration.ofMinutes(10));

    b.tick();

    assertThat(owed()).isEmpty();
  }

  @Test
  void badHostOfAGangIsTold() {
    lose(running(), FailureCause.INFRASTRUCTURE);

    assertThat(owed()).containsExactly("node-bad worker lost");
  }

  /** The deadline was ours. */
  @ParameterizedTest
  @EnumSource(names = {"DRAINED", "END_OF_LIFE"})
  void overdueDrainIsNoFaultOfTheMachine(FailureCause failureCause) {
    pool(Provisioning.ON_DEMAND);

    lose(running(), failureCause);

    assertThat(owed()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"LOST", "PREEMPTED", "INFRASTRUCTURE"})
  void lostReservationIsToldWhateverTookIt(FailureCause failureCause) {
    pool(Provisioning.RESERVED);

    lose(running(), failureCause);

    var word = failureCause == FailureCause.PREEMPTED ? "preempted" : "lost";
    assertThat(owed()).containsExactly("reservation-lost worker " + word);
  }

  @Test
  void lostManualSliceIsALostReservation() {
    var slices = new SliceCommands(b.context);
    slices.create(slice(), b.later());
    b.tick();
    var name = b.only().name();
    b.makeReady(name);

    lose(name, FailureCause.LOST);

    assertThat(owed()).containsExactly("reservation-lost worker lost");
  }

  /** The loss comes first: what cannot be read must not keep a machine. */
  @Test
  void unreadableClusterKeepsNoWorker() {
    var slices = new SliceCommands(b.context);
    slices.create(slice(), b.later());
    b.tick();
    var name = b.only().name();
    b.makeReady(name);
    b.ledger.spoil(new DocumentKey.OfCluster(b.uid));

    lose(name, FailureCause.LOST);

    assertThat(owed()).containsExactly("node-bad worker lost");
  }

  @Test
  void unfitMachineIsToldOnceByAnyProcess() {
    unfit(running());
    b.tick();
    assertThat(owed()).isEmpty();

    b.tick();
    b.tick();
    ReconcileFixture.rounds(b.context).tick();

    assertThat(owed()).containsExactly("node-bad worker unfit");
    assertThat(b.events("unfit")).containsExactly("no driver");
  }

  @Test
  void recoveredMachineIsNotTold() {
    var name = running();
    unfit(name);
    b.tick();
    b.change(name, w -> w.withProblem(Optional.empty()));

    b.tick();
    b.tick();

    assertThat(owed()).isEmpty();
  }

  @Test
  void machineThatEndsForItsAgeIsNotTold() {
    var name = running();
    var old = new DrainReason(DrainCause.END_OF_LIFE, "old");
    var event = new WorkerEvent.DrainRequested(b.time.instant(), old, b.time.instant());

    new WorkerTransitions(b.context).apply(stored(name), event, Optional.of("draining"));
    b.tick();

    assertThat(owed()).isEmpty();
  }
}
