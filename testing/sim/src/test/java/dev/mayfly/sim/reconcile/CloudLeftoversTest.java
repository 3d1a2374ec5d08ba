package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Leftover;
import dev.mayfly.core.reconcile.cleanup.CleanupPlan.Deletion;
import dev.mayfly.core.reconcile.cleanup.OrphanCollector;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Leftover disks and addresses, and cleanup's dry run. */
class CloudLeftoversTest {
  private final ReconcileFixture b = new ReconcileFixture();

  private Leftover disk(String name, Map<String, String> labels) {
    return new Leftover(Leftover.Kind.DISK, ReconcileFixture.ZONE, name, labels, b.time.instant());
  }

  private Map<String, String> labels(String worker) {
    return Map.of(
        CloudMachine.CLUSTER, b.uid, CloudMachine.POOL, "cpu", CloudMachine.WORKER, worker);
  }

  private String running() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.advance(Duration.ofSeconds(30));
    b.makeReady(name);
    return name;
  }

  /** Ends the worker: its machine is gone, and so is its state. */
  private void end(String worker) {
    b.machines.preempt(b.machines.ever().getFirst(), false, Duration.ZERO, false);
    b.time.advance(Duration.ofSeconds(1));
    b.orphanCollector.collect();
    b.orphanCollector.collect();
    assertThat(b.worker(worker).state()).isInstanceOf(WorkerState.Gone.class);
  }

  @Test
  void diskOfGoneWorkerIsDeletedAndReported() {
    var name = running();
    b.fleet.leftovers.add(disk(name, labels(name)));
    b.orphanCollector.collect();
    assertThat(b.fleet.leftovers).as("its worker lives").hasSize(1);

    end(name);
    b.orphanCollector.collect();

    assertThat(b.fleet.leftovers).isEmpty();
    assertThat(b.events("cleaned-up")).containsExactly("its worker " + name + " is gone");
  }

  @Test
  void unownedDiskIsDeletedAfterGrace() {
    var address =
        new Leftover(Leftover.Kind.ADDRESS, "us", "ip-1", labels("lab-cpu-old"), b.time.instant());
    b.fleet.leftovers.add(disk("lab-cpu-old", labels("lab-cpu-old")));
    b.fleet.leftovers.add(address);

    b.orphanCollector.collect();
    assertThat(b.fleet.leftovers).as("its machine may be on its way").hasSize(2);
    b.time.advance(Timings.DEFAULT.orphanGrace());
    b.orphanCollector.collect();

    assertThat(b.fleet.leftovers).isEmpty();
    assertThat(b.events("cleaned-up")).hasSize(2).containsOnly("no worker of this cluster has it");
  }

  @Test
  void unlabelledLeftoversAreLeftAlone() {
    b.fleet.leftovers.add(
        disk("a", Map.of(CloudMachine.CLUSTER, "another", CloudMachine.WORKER, "a")));
    b.fleet.leftovers.add(disk("b", Map.of(CloudMachine.CLUSTER, b.uid)));
    b.time.advance(Duration.ofDays(3));

    var told = b.orphanCollector.collect();

    assertThat(b.fleet.leftovers).hasSize(2);
    assertThat(told).hasSize(2).allMatch(line -> line.contains("left alone"));
  }

  @Test
  void dryRunListsDeletionsAndChangesNothing() {
    var name = running();
    b.fleet.leftovers.add(disk("old", labels("lab-cpu-old")));
    b.fleet.leftovers.add(disk("theirs", Map.of(CloudMachine.CLUSTER, "another")));
    var orphan =
        new Fleet.Order(
            new CloudMachine.Name(ReconcileFixture.ZONE, "lab-cpu-orphan"),
            b.cluster().spec().pools().getFirst(),
            Map.of(),
            Map.of(),
            "x");
    b.machines.addForeign(orphan, labels("lab-cpu-orphan"));
    b.time.advance(Timings.DEFAULT.orphanGrace().plusSeconds(1));
    b.machines.preempt(b.machines.ever().getFirst(), false, Duration.ZERO, true);
    b.time.advance(Duration.ofSeconds(1));
    var before = b.worker(name);
    b.triggers.clear();

    var view = OrphanCollector.plan(b.context);

    assertThat(view.deletions())
        .containsExactlyInAnyOrder(
            new Deletion(
                "machine", ReconcileFixture.ZONE, name, "the cloud stopped the spot machine"),
            new Deletion(
                "machine",
                ReconcileFixture.ZONE,
                "lab-cpu-orphan",
                "no worker of this cluster has it"),
            new Deletion("disk", ReconcileFixture.ZONE, "old", "no worker of this cluster has it"));
    assertThat(view.untouched()).singleElement().asString().contains("theirs", "left alone");
    assertThat(b.worker(name)).isEqualTo(before);
    assertThat(b.fleet.leftovers).hasSize(2);
    assertThat(b.machines.machines()).hasSize(2);
    assertThat(b.triggers).isEmpty();
    assertThat(b.events("cleaned-up")).isEmpty();
    assertThat(OrphanCollector.plan(b.context)).isEqualTo(view);
  }

  @Test
  void passDeletesWhatItsDryRunLists() {
    var name = running();
    b.fleet.leftovers.add(disk("kept", labels(name)));
    b.fleet.leftovers.add(disk("old", labels("lab-cpu-old")));
    b.time.advance(Timings.DEFAULT.orphanGrace());
    b.machines.preempt(b.machines.ever().getFirst(), false, Duration.ZERO, false);
    b.time.advance(Duration.ofSeconds(1));

    for (var disks : List.of(List.of("old"), List.of("kept"), List.<String>of())) {
      var listed = OrphanCollector.plan(b.context).deletions().stream().map(Deletion::name);
      var before = b.fleet.leftovers.stream().map(Leftover::name).toList();
      b.orphanCollector.collect();
      var after = b.fleet.leftovers.stream().map(Leftover::name).toList();

      assertThat(listed).isEqualTo(disks);
      assertThat(before.stream().filter(disk -> !after.contains(disk))).isEqualTo(disks);
    }
  }

  @Test
  void dryRunListsMachineYoungerThanTheList() {
    var name = running();
    b.change(name, w -> w.with(new WorkerState.Drained(b.time.instant(), "idle")));
    b.fleet.unlisted = true;

    assertThat(OrphanCollector.plan(b.context).deletions())
        .containsExactly(new Deletion("machine", ReconcileFixture.ZONE, name, "idle"));
    b.orphanCollector.collect();
    assertThat(b.fleet.deletions).isOne();
    b.time.advance(Duration.ofMinutes(1));
    assertThat(OrphanCollector.plan(b.context).deletions()).isEmpty();
  }

  @Test
  void failedListStopsNothingElse() {
    var name = running();
    b.machines.preempt(b.machines.ever().getFirst(), false, Duration.ZERO, true);
    b.time.advance(Duration.ofSeconds(1));
    b.fleet.leftoversSick = true;

    assertThat(b.orphanCollector.collect())
        .singleElement()
        .asString()
        .startsWith("disks and addresses: ");

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Lost.class);
  }
}
