package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What one use case of a process requested of the cloud, or learnt from it, the others know. */
class DeletionMemoryTest {
  private final ReconcileFixture b = new ReconcileFixture();
  private final ControlPlane controlPlane = new ControlPlane(b.context, "a", "http://workers");

  private void orphan() {
    var name = new CloudMachine.Name(ReconcileFixture.ZONE, "lab-cpu-orphan");
    var labels = Map.of(CloudMachine.CLUSTER, b.uid, CloudMachine.WORKER, name.name());
    var pool = b.cluster().spec().pools().getFirst();
    b.machines.addForeign(new Fleet.Order(name, pool, labels, Map.of(), "x"), labels);
    b.time.advance(Timings.DEFAULT.orphanGrace());
  }

  @Test
  void reconcileDoesNotRepeatDeletionRequestedByCleanup() {
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.advance(Duration.ofSeconds(30));
    b.makeReady(name);
    b.machines.preempt(b.machines.ever().getFirst(), false, Duration.ZERO, true);
    b.time.advance(Duration.ofSeconds(1));

    controlPlane.handle(new Trigger.CollectOrphans());
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Lost.class);
    assertThat(b.fleet.deletions).isOne();
    var looks = b.fleet.looks;
    controlPlane.handle(Trigger.Reconcile.worker(b.uid, name));

    assertThat(b.fleet.deletions).isOne();
    assertThat(b.fleet.looks).isEqualTo(looks);
  }

  @Test
  void cleanupWaitsWhereAnOrderFoundNoQuota() {
    orphan();
    b.job("reddit", 1);
    b.fleet.orders =
        Optional.of(order ->
            new Fleet.Ordered.Refused(
                new Fleet.Refusal(Fleet.Refusal.Kind.RATE, "429", "too many calls")));

    controlPlane.handle(new Trigger.Tick());
    controlPlane.handle(new Trigger.CollectOrphans());
    assertThat(b.fleet.deletions).isZero();
    b.time.advance(Duration.ofSeconds(71));
    controlPlane.handle(new Trigger.CollectOrphans());

    assertThat(b.fleet.deletions).isOne();
    assertThat(b.events("cleaned-up")).containsExactly("no worker of this cluster has it");
  }
}
