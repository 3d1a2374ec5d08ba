package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Change signals: the first at once, later ones merged, at most one a second. */
class ChangeSignalsTest {
  private final LabCluster labCluster = new LabCluster();
  private int sent;

  private void countSignals() {
    labCluster.store.observe(batch ->
        sent += (int) batch.stream().filter(c -> c.document() instanceof ChangeSignal).count());
  }

  @Test
  void manyPreemptionsCostFewSignals() {
    var workers = new ArrayList<ScriptedAgent>();
    for (var i = 0; i < 1_024; i++) workers.add(labCluster.machine("w" + i));
    for (var w : workers) w.sync();
    labCluster.advance(5_000);
    countSignals();

    for (var w : workers) {
      var zone = labCluster.worker(w.name).zone();
      var id = labCluster.worker(w.name).instanceId().orElseThrow();
      var event = new MachineEvent(zone, w.name, id, MachineEvent.Kind.PREEMPTED, labCluster.now());
      labCluster.controlPlane.vmEvents().handle(event);
      labCluster.advance(3);
    }
    labCluster.advance(1_000);

    assertThat(workers)
        .allMatch(w -> labCluster.worker(w.name).state() instanceof WorkerState.Lost);
    assertThat(sent).isBetween(2, 6);
  }

  @Test
  void firstSignalIsImmediateAndNamed() {
    var w = labCluster.machine("w");
    w.sync();
    labCluster.advance(5_000);
    countSignals();

    labCluster.submit(LabCluster.count("j", 2));

    assertThat(sent).isEqualTo(1);
    labCluster.advance(100);
    assertThat(w.held()).isNotEmpty();
  }

  @Test
  void fewSubmissionsAreSignalledAtOnce() {
    var w = labCluster.machine("w");
    w.sync();
    labCluster.advance(5_000);
    countSignals();

    for (var i = 0; i < 5; i++) labCluster.submit(LabCluster.count("j" + i, 2));

    assertThat(sent).isEqualTo(5);
  }

  @Test
  void laterSignalsFollowTogetherWithinOneSecond() {
    var w = labCluster.machine("w");
    w.sync();
    labCluster.advance(5_000);
    countSignals();

    for (var i = 0; i < 8; i++) labCluster.submit(LabCluster.count("j" + i, 2));
    assertThat(sent).isEqualTo(5);
    labCluster.advance(1_100);

    assertThat(sent).isEqualTo(6);
  }

  @Test
  void signalsAreOneEachSecondOnAverage() {
    var w = labCluster.machine("w");
    w.sync();
    labCluster.advance(5_000);
    countSignals();

    for (var i = 0; i < 40; i++) {
      labCluster.submit(LabCluster.count("j" + i, 2));
      labCluster.advance(500);
    }

    assertThat(sent).isBetween(20, 26);
  }
}
