package dev.mayfly.sim.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.control.MachineEvent.Kind;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.control.VmEvents;
import dev.mayfly.core.control.VmEvents.Outcome;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.WorkerState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class VmEventsTest {
  private final Bench b = new Bench();
  private final VmEvents events = new VmEvents(b.ports, Rules.DEFAULT);

  private String running() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.pass(Duration.ofSeconds(30));
    b.speak(name);
    return name;
  }

  private MachineEvent event(String name, Kind kind) {
    var id = b.worker(name).instanceId().orElseThrow();
    return new MachineEvent(Bench.ZONE, name, id, kind, b.time.instant());
  }

  @Test
  void aPreemptedMachinesWorkerIsLostAtOnceAndARoundIsAskedFor() {
    var name = running();
    b.hints.clear();

    assertThat(events.take(event(name, Kind.PREEMPTED))).isEqualTo(Outcome.TAKEN);

    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(Cause.PREEMPTED));
    assertThat(b.hints).contains(Hint.Look.worker(b.uid, name));
  }

  @Test
  void aMachineThatSomebodyDeletedIsLostAndNotPreempted() {
    var name = running();

    events.take(event(name, Kind.DELETED));

    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(Cause.LOST));
  }

  @Test
  void aRepeatedEventChangesNothing() {
    var name = running();
    events.take(event(name, Kind.PREEMPTED));
    var before = b.worker(name);

    assertThat(events.take(event(name, Kind.PREEMPTED))).isEqualTo(Outcome.STALE);

    assertThat(b.worker(name)).isEqualTo(before);
  }

  @Test
  void anEventOfAnOlderMachineOfThatNameChangesNothing() {
    var name = running();
    var before = b.worker(name);
    var old = new MachineEvent(Bench.ZONE, name, "1", Kind.DELETED, b.time.instant());

    assertThat(events.take(old)).isEqualTo(Outcome.STALE);

    assertThat(b.worker(name)).isEqualTo(before);
  }

  @Test
  void machinesOfOthersAreNobodysHere() {
    var name = running();
    var id = b.worker(name).instanceId().orElseThrow();

    var other = new MachineEvent(Bench.ZONE, "theirs", id, Kind.DELETED, b.time.instant());
    var elsewhere = new MachineEvent("eu-b", name, id, Kind.DELETED, b.time.instant());

    assertThat(events.take(other)).isEqualTo(Outcome.FOREIGN);
    assertThat(events.take(elsewhere)).isEqualTo(Outcome.FOREIGN);
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Ready.class);
  }
}
