package dev.mayfly.sim.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Cleanup;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Write;
import dev.mayfly.sim.fake.SimMachine;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CleanupTest {
  private final Bench b = new Bench();
  private final List<Query<?>> asked = new ArrayList<>();

  /** One worker that works, on a machine that runs. */
  private String running() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.pass(Duration.ofSeconds(30));
    b.speak(name);
    return name;
  }

  private SimMachine machine() {
    return b.machines.ever().getFirst();
  }

  private Fleet.Order order(String name, String uid) {
    var labels = Map.of(Machine.CLUSTER, uid, Machine.POOL, "cpu", Machine.WORKER, name);
    var pool = b.cluster().spec().pools().getFirst();
    return new Fleet.Order(new Machine.Name(Bench.ZONE, name), pool, labels, Map.of(), name);
  }

  @Test
  void whatIsAsItShouldBeIsLeftAlone() {
    var name = running();

    b.cleanup.sweep();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Ready.class);
    assertThat(machine().gone()).isFalse();
  }

  @Test
  void aStoppedSpotMachineIsPreemptedAndDeleted() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, true);
    b.time.pass(Duration.ofSeconds(1));

    b.cleanup.sweep();

    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(Cause.PREEMPTED));
    b.time.pass(Duration.ofMinutes(1));
    assertThat(machine().gone()).isTrue();
    b.cleanup.sweep();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
  }

  @Test
  void aWorkerWhoseMachineIsNowhereIsLostAndThenGone() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, false);
    b.time.pass(Duration.ofSeconds(1));

    b.cleanup.sweep();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(b.events("lost")).containsExactly("the cloud knows no such machine any more");
  }

  @Test
  void aListThatIsNotCompleteIsEvidenceOfNothing() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, false);
    b.time.pass(Duration.ofSeconds(1));
    b.fleet.partial = true;

    var told = b.cleanup.sweep();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Ready.class);
    assertThat(told).containsExactly("the list of machines: us-a did not answer");
  }

  @Test
  void aMachineOfOursWithoutADocumentIsDeletedAfterItsGrace() {
    b.machines.order(order("lab-cpu-orphan", b.uid));
    b.time.pass(Duration.ofMinutes(9));

    b.cleanup.sweep();
    b.time.pass(Duration.ofSeconds(50));
    assertThat(machine().gone()).isFalse();
    b.time.pass(Duration.ofSeconds(20));
    b.cleanup.sweep();
    b.time.pass(Duration.ofMinutes(1));

    assertThat(machine().gone()).isTrue();
    assertThat(b.events("swept")).containsExactly("no worker of this cluster has it");
  }

  @Test
  void aMachineWhoseWorkerIsGoneIsDeletedAtOnce() {
    var name = running();
    b.change(name, w -> w.with(new WorkerState.Gone(b.time.instant(), "idle")));

    b.cleanup.sweep();
    b.time.pass(Duration.ofMinutes(1));

    assertThat(machine().gone()).isTrue();
  }

  @Test
  void machinesOfOthersAreNeverTouched() {
    b.machines.order(order("lab-cpu-theirs", "another-deployment"));
    var odd =
        new Fleet.Order(
            new Machine.Name(Bench.ZONE, "odd"),
            b.cluster().spec().pools().getFirst(),
            Map.of(),
            Map.of(),
            "x");
    b.machines.addForeign(odd, Map.of(Machine.CLUSTER, b.uid, Machine.WORKER, "lab-cpu-1"));
    b.time.pass(Duration.ofHours(1));

    var told = b.cleanup.sweep();
    b.time.pass(Duration.ofMinutes(5));

    assertThat(b.machines.machines()).hasSize(2);
    assertThat(told).hasSize(2).allSatisfy(t -> assertThat(t).contains("left alone"));
  }

  @Test
  void machinesOfAnotherDeploymentCostNoReads() {
    running();
    b.machines.order(order("lab-cpu-theirs", "another-deployment"));
    b.time.pass(Duration.ofMinutes(1));
    var cleanup = new Cleanup(b.on(counting()), Rules.DEFAULT);
    cleanup.sweep();
    b.time.pass(Duration.ofMinutes(1));
    var before = asked.size();

    assertThat(cleanup.sweep()).singleElement().asString().contains("left alone");

    assertThat(asked.subList(before, asked.size()))
        .as("what was compared is not read again")
        .noneMatch(q -> q instanceof Query.Workers w && !w.gone());
  }

  private Ledger counting() {
    return (Ledger)
        Proxy.newProxyInstance(
            CleanupTest.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (self, method, arguments) -> {
              if (method.getName().equals("query")) asked.add((Query<?>) arguments[0]);
              return method.invoke(b.ledger, arguments);
            });
  }

  @Test
  void aForeignMachineUnderAWorkersNameIsNotDeletedWithTheWorker() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, false);
    b.time.pass(Duration.ofSeconds(1));
    b.machines.addForeign(order(name, "x"), Map.of("owner", "somebody"));
    b.change(name, w -> w.with(new WorkerState.Lost(b.time.instant(), Cause.LOST, "silent")));

    b.tick();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(b.machines.machines()).filteredOn(SimMachine::foreign).hasSize(1);
  }

  @Test
  void aWorkerThatHasBeenGoneForLongIsForgotten() {
    var name = running();
    b.machines.preempt(machine(), false, Duration.ZERO, false);
    b.time.pass(Duration.ofSeconds(1));
    b.cleanup.sweep();
    b.time.pass(Duration.ofHours(25));

    b.cleanup.sweep();

    assertThat(b.ledger.read(new Key.OfWorker(b.uid, name))).isEmpty();
  }

  @Test
  void aDocumentThatVanishedMakesAnOrphanOfTheMachine() {
    var name = running();
    b.ledger.commit(List.of(new Write.Delete(new Key.OfWorker(b.uid, name))));
    b.time.pass(Duration.ofMinutes(11));

    b.cleanup.sweep();
    b.time.pass(Duration.ofMinutes(1));

    assertThat(machine().gone()).isTrue();
  }
}
