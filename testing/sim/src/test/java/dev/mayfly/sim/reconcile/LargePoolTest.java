package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A pool of 1,024 machines, up and down; the cloud's calls take no time here. */
class LargePoolTest {
  private static final int WORKERS = 1_024;

  private final ReconcileFixture b =
      new ReconcileFixture(ReconcileFixture.pool(WORKERS, WORKERS, ReconcileFixture.ZONE));

  @Test
  void machinesOfLargePoolComeAndGo() {
    for (var tick = 0; tick < 20 && machines().size() < WORKERS; tick++) b.tick();
    b.tick();
    assertThat(b.machines.machines()).hasSize(WORKERS).allMatch(SimMachine::powered);
    machines().forEach(b::makeReady);
    var asked = b.time.instant();

    b.changes.down("lab", asked);
    assertThat(b.time.instant()).as("the command waits for no machine").isEqualTo(asked);
    b.tick();
    for (var name : machines()) b.change(name, w -> w.with(drained()));
    b.tick();

    assertThat(Duration.between(asked, b.time.instant())).isEqualTo(Duration.ofMinutes(2));
    assertThat(b.fleet.deletions).isGreaterThanOrEqualTo(WORKERS);
    assertThat(b.deletionsInOneLane)
        .as("calls of four seconds, forty at once, request all within two minutes")
        .isLessThanOrEqualTo(30);
    assertThat(b.machines.list().machines())
        .as("each was asked to go; their ends take as long as the cloud takes")
        .extracting(CloudMachine::status)
        .doesNotContain(CloudMachine.Status.RUNNING);
  }

  private WorkerState drained() {
    return new WorkerState.Drained(b.time.instant(), "down");
  }

  private List<String> machines() {
    return b.machines.machines().stream().map(m -> m.name().name()).toList();
  }
}
