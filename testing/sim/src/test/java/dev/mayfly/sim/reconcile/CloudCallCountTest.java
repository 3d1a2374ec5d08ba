package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The cloud API calls for a hundred machines; decision 16 relies on it. */
class CloudCallCountTest {
  @Test
  void hundredMachinesCostOneOrderAndReadEach() {
    var b = new ReconcileFixture(ReconcileFixture.pool(0, 100, ReconcileFixture.ZONE));
    b.job("reddit", 200);
    var orders = new AtomicInteger();
    b.fleet.orders =
        Optional.of(order -> {
          orders.incrementAndGet();
          return b.machines.order(order);
        });

    b.tick();
    assertThat(orders).hasValue(100);
    assertThat(b.fleet.looks).isZero();
    b.tick();
    assertThat(b.fleet.looks).isEqualTo(100);
    b.workers().stream().map(Worker::name).forEach(b::makeReady);
    b.tick();
    b.tick();

    assertThat(b.fleet.looks).as("who speaks is not looked for").isEqualTo(100);
    assertThat(orders).hasValue(100);
  }
}
