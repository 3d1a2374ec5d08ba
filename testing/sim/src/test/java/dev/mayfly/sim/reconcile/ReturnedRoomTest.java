package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Room that a machine of ours gave back is used at once, whatever was refused before. */
class ReturnedRoomTest {
  private static final PoolSpec POOL = ReconcileFixture.pool(0, 3, ReconcileFixture.ZONE);

  private final ReconcileFixture b = new ReconcileFixture(POOL);
  private int accepted;

  /** The cloud has room for one machine of ours at a time. */
  private void roomForOne(Refusal.Kind kind) {
    b.fleet.orders =
        Optional.of(order -> {
          if (!b.machines.machines().isEmpty())
            return new Ordered.Refused(new Refusal(kind, "EXHAUSTED", "no more"));
          accepted++;
          return b.machines.order(order);
        });
  }

  private void oneOfTwoRuns(Refusal.Kind kind) {
    roomForOne(kind);
    b.job("reddit", 4);
    b.tick();
    assertThat(b.workers()).hasSize(1);
    b.makeReady(b.only().name());
    b.tick();
    assertThat(accepted).isOne();
  }

  private void preempt() {
    b.machines.preempt(b.machines.machines().iterator().next(), false, Duration.ZERO, false);
    var lost = new WorkerState.Lost(b.time.instant(), FailureCause.PREEMPTED, "the cloud took it");
    b.change(b.only().name(), w -> w.with(lost));
  }

  @Test
  void preemptedMachineEndsQuotaRefusal() {
    oneOfTwoRuns(Refusal.Kind.QUOTA);

    preempt();
    b.tick();
    b.tick();

    assertThat(accepted).isEqualTo(2);
  }

  @Test
  void returnedRoomTriggersReconcile() {
    oneOfTwoRuns(Refusal.Kind.QUOTA);
    var name = b.only().name();
    preempt();
    b.triggers.clear();

    b.tick();

    assertThat(b.triggers).contains(Trigger.Reconcile.worker(b.uid, name));
  }

  @Test
  void preemptedMachineEndsNoStockout() {
    oneOfTwoRuns(Refusal.Kind.CAPACITY);

    preempt();
    b.tick();
    b.tick();

    assertThat(accepted).as("the cloud gave the room to others").isOne();
  }

  @Test
  void ourDeletionEndsStockout() {
    oneOfTwoRuns(Refusal.Kind.CAPACITY);

    b.change(b.only().name(), w -> w.with(new WorkerState.Drained(b.time.instant(), "drained")));
    b.tick();
    b.tick();
    b.tick();

    assertThat(accepted).isEqualTo(2);
  }

  @Test
  void refusalAfterTheReturnPausesAsBefore() {
    oneOfTwoRuns(Refusal.Kind.QUOTA);
    b.change(b.only().name(), w -> w.with(new WorkerState.Drained(b.time.instant(), "drained")));
    var refused = new int[1];
    b.fleet.orders =
        Optional.of(order -> {
          refused[0]++;
          return new Ordered.Refused(new Refusal(Refusal.Kind.QUOTA, "EXHAUSTED", "no more"));
        });

    b.time.advance(Duration.ofSeconds(61));
    for (var i = 0; i < 60; i++) {
      b.time.advance(Duration.ofMillis(300));
      b.reconcileLoop.tick();
    }

    assertThat(refused[0]).as("both machines once, then a pause").isBetween(1, 2);
  }
}
