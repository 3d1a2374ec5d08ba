package dev.mayfly.sim.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Cleanup;
import dev.mayfly.core.control.CleanupView.Deletion;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Leftover;
import dev.mayfly.core.port.Machine;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Disks and addresses that machines left, and what cleanup says it would do. */
class LeftoversTest {
  private final Bench b = new Bench();

  private Leftover disk(String name, Map<String, String> labels) {
    return new Leftover(Leftover.Kind.DISK, Bench.ZONE, name, labels, b.time.instant());
  }

  private Map<String, String> labels(String worker) {
    return Map.of(Machine.CLUSTER, b.uid, Machine.POOL, "cpu", Machine.WORKER, worker);
  }

  private String running() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.pass(Duration.ofSeconds(30));
    b.speak(name);
    return name;
  }

  /** The machine is gone, and the ledger knows it. */
  private void end(String worker) {
    b.machines.preempt(b.machines.ever().getFirst(), false, Duration.ZERO, false);
    b.time.pass(Duration.ofSeconds(1));
    b.cleanup.sweep();
    b.cleanup.sweep();
    assertThat(b.worker(worker).state()).isInstanceOf(WorkerState.Gone.class);
  }

  @Test
  void aDiskOfAWorkerThatIsGoneIsDeletedAndToldOf() {
    var name = running();
    b.fleet.leftovers.add(disk(name, labels(name)));
    b.cleanup.sweep();
    assertThat(b.fleet.leftovers).as("its worker lives").hasSize(1);

    end(name);
    b.cleanup.sweep();

    assertThat(b.fleet.leftovers).isEmpty();
    assertThat(b.events("swept")).containsExactly("its worker " + name + " is gone");
  }

  @Test
  void aDiskThatNoWorkerHasIsDeletedAfterItsGrace() {
    var address =
        new Leftover(Leftover.Kind.ADDRESS, "us", "ip-1", labels("lab-cpu-old"), b.time.instant());
    b.fleet.leftovers.add(disk("lab-cpu-old", labels("lab-cpu-old")));
    b.fleet.leftovers.add(address);

    b.cleanup.sweep();
    assertThat(b.fleet.leftovers).as("its machine may be on its way").hasSize(2);
    b.time.pass(Rules.DEFAULT.orphanGrace());
    b.cleanup.sweep();

    assertThat(b.fleet.leftovers).isEmpty();
    assertThat(b.events("swept")).hasSize(2).containsOnly("no worker of this cluster has it");
  }

  @Test
  void whatHasNotExactlyOurLabelsIsLeftAloneForEver() {
    b.fleet.leftovers.add(disk("a", Map.of(Machine.CLUSTER, "another", Machine.WORKER, "a")));
    b.fleet.leftovers.add(disk("b", Map.of(Machine.CLUSTER, b.uid)));
    b.time.pass(Duration.ofDays(3));

    var told = b.cleanup.sweep();

    assertThat(b.fleet.leftovers).hasSize(2);
    assertThat(told).hasSize(2).allMatch(line -> line.contains("left alone"));
  }

  @Test
  void aRehearsalTellsWhatWouldGoAndTouchesNothing() {
    var name = running();
    b.fleet.leftovers.add(disk("old", labels("lab-cpu-old")));
    b.fleet.leftovers.add(disk("theirs", Map.of(Machine.CLUSTER, "another")));
    var orphan =
        new Fleet.Order(
            new Machine.Name(Bench.ZONE, "lab-cpu-orphan"),
            b.cluster().spec().pools().getFirst(),
            Map.of(),
            Map.of(),
            "x");
    b.machines.addForeign(orphan, labels("lab-cpu-orphan"));
    b.time.pass(Rules.DEFAULT.orphanGrace().plusSeconds(1));
    b.machines.preempt(b.machines.ever().getFirst(), false, Duration.ZERO, true);
    b.time.pass(Duration.ofSeconds(1));
    var before = b.worker(name);
    b.hints.clear();

    var view = Cleanup.rehearse(b.ports, Rules.DEFAULT);

    assertThat(view.deletions())
        .containsExactlyInAnyOrder(
            new Deletion("machine", Bench.ZONE, name, "the cloud stopped the spot machine"),
            new Deletion(
                "machine", Bench.ZONE, "lab-cpu-orphan", "no worker of this cluster has it"),
            new Deletion("disk", Bench.ZONE, "old", "no worker of this cluster has it"));
    assertThat(view.untouched()).singleElement().asString().contains("theirs", "left alone");
    assertThat(b.worker(name)).isEqualTo(before);
    assertThat(b.fleet.leftovers).hasSize(2);
    assertThat(b.machines.machines()).hasSize(2);
    assertThat(b.hints).isEmpty();
    assertThat(b.events("swept")).isEmpty();
    assertThat(Cleanup.rehearse(b.ports, Rules.DEFAULT)).isEqualTo(view);
  }

  @Test
  void aListThatFailsStopsNothingElse() {
    var name = running();
    b.machines.preempt(b.machines.ever().getFirst(), false, Duration.ZERO, true);
    b.time.pass(Duration.ofSeconds(1));
    b.fleet.leftoversSick = true;

    assertThat(b.cleanup.sweep()).singleElement().asString().startsWith("disks and addresses: ");

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Lost.class);
  }
}
