package dev.mayfly.sim.reconcile;

import static dev.mayfly.sim.fixture.ReconcileFixture.pool;
import static dev.mayfly.sim.fixture.ReconcileFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A change that needs other machines, while a job runs. */
class RolloutTest {
  private final ReconcileFixture b = new ReconcileFixture();

  private Instant later() {
    b.time.advance(Duration.ofSeconds(1));
    return b.time.instant();
  }

  /** Four workers with a lease each, and a job with more tasks. */
  private void busy() {
    b.job("reddit", 8);
    b.tick();
    b.tick();
    for (var w : b.workers()) {
      b.makeReady(w.name());
      var held =
          new Worker.Held(
              "uid-reddit",
              0,
              1,
              Resources.cpu(1, 1L << 30),
              b.time.instant(),
              List.of(0L, 1L),
              false,
              1,
              List.of(),
              List.of());
      b.change(
          w.name(),
          x ->
              x.withLeases(List.of(held), b.time.instant())
                  .with(new WorkerState.Ready(b.time.instant(), java.util.Optional.empty())));
    }
  }

  private List<Worker> draining() {
    return b.workers().stream().filter(w -> w.state() instanceof WorkerState.Draining).toList();
  }

  @Test
  void runningWorkGetsAnHourDuringRollout() {
    busy();
    assertThat(b.workers()).hasSize(4);
    b.apply(
        spec(
            pool(0, 10, ReconcileFixture.ZONE)
                .withMachine(MachineSpec.PLAIN.with(new MachineSpec.Gpu("t4", 1)))),
        later());
    var changed = b.time.instant();
    b.tick();

    assertThat(b.events("changed"))
        .singleElement()
        .asString()
        .contains("generation 2", "replaced as they become free, within 1h, in cpu (machine)");
    assertThat(draining())
        .singleElement()
        .satisfies(w -> {
          var state = (WorkerState.Draining) w.state();
          assertThat(state.reason()).contains("generation 1", "changed in generation 2: machine");
          assertThat(state.deadline()).isEqualTo(changed.plus(Duration.ofHours(1)));
        });
    b.tick();
    assertThat(draining()).hasSize(1);
  }

  @Test
  void statusShowsWorkersToReplace() {
    busy();
    b.apply(
        spec(
            pool(0, 10, ReconcileFixture.ZONE)
                .withMachine(MachineSpec.PLAIN.with(new MachineSpec.Gpu("t4", 1)))),
        later());
    b.tick();
    var statusQueries = b.views();

    assertThat(statusQueries.workers("lab", false))
        .filteredOn(w -> w.state().equals("ready"))
        .extracting(WorkerStatus::problem)
        .allSatisfy(
            p -> assertThat(p).hasValueSatisfying(t -> assertThat(t).contains("generation")));
    assertThat(statusQueries.cluster("lab").problems())
        .anySatisfy(t -> assertThat(t).contains("pool cpu: 3 of", "stopped after"));
  }

  @Test
  void changedNumbersDrainNoWorker() {
    busy();
    b.apply(spec(pool(1, 20, ReconcileFixture.ZONE)), later());
    b.tick();

    assertThat(draining()).isEmpty();
    assertThat(b.events("changed")).containsExactly("generation 2, which applies at once");
  }
}
