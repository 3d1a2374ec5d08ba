package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.core.reconcile.MachineEvent.Kind;
import dev.mayfly.core.reconcile.MachineEventHandler;
import dev.mayfly.core.reconcile.MachineEventHandler.Outcome;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineEventsTest {
  private final ReconcileFixture b = new ReconcileFixture();
  private final MachineEventHandler events = b.machineEvents;

  private String running() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.advance(Duration.ofSeconds(30));
    b.makeReady(name);
    return name;
  }

  private MachineEvent event(String name, Kind kind) {
    var id = b.worker(name).instanceId().orElseThrow();
    return new MachineEvent(ReconcileFixture.ZONE, name, id, kind, b.time.instant());
  }

  @Test
  void preemptionLosesWorkerAndTriggersReconcile() {
    var name = running();
    b.triggers.clear();

    assertThat(events.handle(event(name, Kind.PREEMPTED))).isEqualTo(Outcome.TAKEN);

    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(FailureCause.PREEMPTED));
    assertThat(b.triggers).contains(Trigger.Reconcile.worker(b.uid, name));
  }

  @Test
  void deletedMachineIsLostNotPreempted() {
    var name = running();

    events.handle(event(name, Kind.DELETED));

    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(FailureCause.LOST));
  }

  /** As of a laptop cloud that a person ended and started again. */
  @ParameterizedTest
  @CsvSource({"PREEMPTED, short.n2", "HOST_ERROR, short.lost.n2", "STOPPED,", "DELETED,"})
  void onlyWhatTheCloudEndedIsRememberedOfItsZone(Kind kind, @Nullable String key) {
    events.handle(event(running(), kind));

    assertThat(b.ledger.query(new LedgerQuery.Stockouts()).requireComplete())
        .extracting(stored -> stored.value().machineType())
        .filteredOn(type -> type.startsWith("short."))
        .allMatch(type -> key != null && type.startsWith(key))
        .hasSize(key == null ? 0 : 1);
  }

  @Test
  void repeatedEventChangesNothing() {
    var name = running();
    events.handle(event(name, Kind.PREEMPTED));
    var before = b.worker(name);

    assertThat(events.handle(event(name, Kind.PREEMPTED))).isEqualTo(Outcome.STALE);

    assertThat(b.worker(name)).isEqualTo(before);
  }

  @Test
  void eventOfOlderMachineChangesNothing() {
    var name = running();
    var before = b.worker(name);
    var old = new MachineEvent(ReconcileFixture.ZONE, name, "1", Kind.DELETED, b.time.instant());

    assertThat(events.handle(old)).isEqualTo(Outcome.STALE);

    assertThat(b.worker(name)).isEqualTo(before);
  }

  @Test
  void foreignMachineEventsAreIgnored() {
    var name = running();
    var id = b.worker(name).instanceId().orElseThrow();

    var other =
        new MachineEvent(ReconcileFixture.ZONE, "theirs", id, Kind.DELETED, b.time.instant());
    var elsewhere = new MachineEvent("eu-b", name, id, Kind.DELETED, b.time.instant());

    assertThat(events.handle(other)).isEqualTo(Outcome.FOREIGN);
    assertThat(events.handle(elsewhere)).isEqualTo(Outcome.FOREIGN);
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Ready.class);
  }
}
