package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.reconcile.cleanup.OrphanCollector;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.worker.WorkerTransitions;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrphanCollectionTest {
  private final ReconcileFixture b = new ReconcileFixture();
  private final List<LedgerQuery<?>> asked = new ArrayList<>();

  /** A busy worker on a running machine. */
  private String running() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.advance(Duration.ofSeconds(30));
    b.makeReady(name);
    return name;
  }

  private SimMachine machine() {
    return b.machines.ever().getFirst();
  }

  private Fleet.Order order(String name, String uid) {
    var labels =
        Map.of(CloudMachine.CLUSTER, uid, CloudMachine.POOL, "cpu", CloudMachine.WORKER, name);
    var pool = b.cluster().spec().pools().getFirst();
    return new Fleet.Order(
        new CloudMachine.Name(ReconcileFixture.ZONE, name), pool, labels, Map.of(), name);
  }

  @Test
  void correctStateIsLeftAlone() {
    var name = running();

    b.orphanCollector.collect();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Ready.class);
    assertThat(machine().gone()).isFalse();
  }

  @Test
  void machineTakenSoonIsRememberedOfItsZone() {
    running();
    b.machines.preempt(machine(), false, Duration.ZERO, true);
    b.time.advance(Duration.ofSeconds(1));

    b.orphanCollector.collect();

    assertThat(b.ledger.query(new LedgerQuery.Stockouts()).requireComplete())
        .extracting(stored -> stored.value().zone() + " " + stored.value().machineType())
        .contains(ReconcileFixture.ZONE + " short.n2-standard-2");
  }

  @Test
  void orderThatTheCloudKeepsLacksNoMachine() {
    b.job("reddit", 1);
    b.fleet.orders = Optional.of(_ -> new Fleet.Ordered.Accepted("op"));
    b.tick();
    var name = b.only().name();
    b.time.advance(Duration.ofHours(1));

    for (var kept : List.of(new Fleet.Progress.Pending(), new Fleet.Progress.Queued("ACCEPTED"))) {
      b.fleet.progress = Optional.of(kept);
      b.orphanCollector.collect();
      assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Booting.class);
    }
    b.fleet.progress = Optional.of(new Fleet.Progress.Done());
    b.orphanCollector.collect();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
  }

  @Test
  void stoppedSpotMachineIsPreemptedAndDeleted() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, true);
    b.time.advance(Duration.ofSeconds(1));

    b.orphanCollector.collect();

    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(FailureCause.PREEMPTED));
    b.time.advance(Duration.ofMinutes(1));
    assertThat(machine().gone()).isTrue();
    b.orphanCollector.collect();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
  }

  @Test
  void workerOfMissingMachineIsGone() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, false);
    b.time.advance(Duration.ofSeconds(1));

    b.orphanCollector.collect();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(b.events("lost")).containsExactly("the cloud no longer knows the machine");
  }

  @Test
  void partialListProvesNothing() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, false);
    b.time.advance(Duration.ofSeconds(1));
    b.fleet.partial = true;

    var told = b.orphanCollector.collect();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Ready.class);
    assertThat(told).containsExactly("the list of machines: us-a did not answer");
  }

  @Test
  void orphanMachineIsDeletedAfterGrace() {
    b.machines.order(order("lab-cpu-orphan", b.uid));
    b.time.advance(Duration.ofMinutes(9));

    b.orphanCollector.collect();
    b.time.advance(Duration.ofSeconds(50));
    assertThat(machine().gone()).isFalse();
    b.time.advance(Duration.ofSeconds(20));
    b.orphanCollector.collect();
    b.time.advance(Duration.ofMinutes(1));

    assertThat(machine().gone()).isTrue();
    assertThat(b.events("cleaned-up")).containsExactly("no worker of this cluster has it");
  }

  @Test
  void machineOfGoneWorkerIsDeletedAtOnce() {
    var name = running();
    b.change(name, w -> w.with(new WorkerState.Gone(b.time.instant(), "idle")));

    b.orphanCollector.collect();
    b.time.advance(Duration.ofMinutes(1));

    assertThat(machine().gone()).isTrue();
  }

  @Test
  void foreignMachinesAreNeverTouched() {
    b.machines.order(order("lab-cpu-theirs", "another-deployment"));
    var odd =
        new Fleet.Order(
            new CloudMachine.Name(ReconcileFixture.ZONE, "odd"),
            b.cluster().spec().pools().getFirst(),
            Map.of(),
            Map.of(),
            "x");
    b.machines.addForeign(
        odd, Map.of(CloudMachine.CLUSTER, b.uid, CloudMachine.WORKER, "lab-cpu-1"));
    b.time.advance(Duration.ofHours(1));

    var told = b.orphanCollector.collect();
    b.time.advance(Duration.ofMinutes(5));

    assertThat(b.machines.machines()).hasSize(2);
    assertThat(told).hasSize(2).allSatisfy(t -> assertThat(t).contains("left alone"));
  }

  @Test
  void machinesOfAnotherDeploymentCostNoReads() {
    running();
    b.machines.order(order("lab-cpu-theirs", "another-deployment"));
    b.time.advance(Duration.ofMinutes(1));
    var orphanCollector = collector(b.on(counting()));
    orphanCollector.collect();
    b.time.advance(Duration.ofMinutes(1));
    var before = asked.size();

    assertThat(orphanCollector.collect()).singleElement().asString().contains("left alone");

    assertThat(asked.subList(before, asked.size()))
        .as("what was compared is not read again")
        .noneMatch(q -> q instanceof LedgerQuery.Workers w && !w.gone());
  }

  private static OrphanCollector collector(Context context) {
    return new OrphanCollector(context, new WorkerTransitions(context));
  }

  private Ledger counting() {
    return (Ledger)
        Proxy.newProxyInstance(
            OrphanCollectionTest.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (self, method, arguments) -> {
              if (method.getName().equals("query")) asked.add((LedgerQuery<?>) arguments[0]);
              return method.invoke(b.ledger, arguments);
            });
  }

  @Test
  void foreignMachineWithWorkerNameIsKept() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, false);
    b.time.advance(Duration.ofSeconds(1));
    b.machines.addForeign(order(name, "x"), Map.of("owner", "somebody"));
    b.change(
        name, w -> w.with(new WorkerState.Lost(b.time.instant(), FailureCause.LOST, "silent")));

    b.tick();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(b.machines.machines()).filteredOn(SimMachine::foreign).hasSize(1);
  }

  @Test
  void longGoneWorkerDocumentIsDeleted() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, false);
    b.time.advance(Duration.ofSeconds(1));
    b.orphanCollector.collect();
    b.time.advance(Duration.ofHours(25));

    b.orphanCollector.collect();

    assertThat(b.ledger.read(new DocumentKey.OfWorker(b.uid, name))).isEmpty();
  }

  @Test
  void vanishedDocumentMakesOrphanMachine() {
    var name = running();
    b.ledger.commit(List.of(new LedgerWrite.Delete(new DocumentKey.OfWorker(b.uid, name))));
    b.time.advance(Duration.ofMinutes(11));

    b.orphanCollector.collect();
    b.time.advance(Duration.ofMinutes(1));

    assertThat(machine().gone()).isTrue();
  }
}
