package dev.mayfly.sim.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fixture.ScriptedAgent;
import dev.mayfly.sim.fixture.StaticPoolFixture;
import org.junit.jupiter.api.Test;

/** Static workers that rejoin under their name, or leave. */
class RejoinWorkerTest extends StaticPoolFixture {
  @Test
  void oldSilenceDoesNotLoseReturnedMachine() {
    var other = joined("other");
    var desk = joined("desk");
    desk.syncAndWait();
    silentBeside(other, "desk");

    var back = again(desk);
    back.sync();
    speaks(other, 12);
    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);

    silentBeside(other, "desk");
  }

  /** Keeps a worker silent until it is lost, while the other one syncs. */
  private void silentBeside(ScriptedAgent other, String worker) {
    for (var i = 0; i < 100 && !(state(worker) instanceof WorkerState.Lost); i++) speaks(other, 1);
    assertThat(state(worker)).isInstanceOf(WorkerState.Lost.class);
  }

  private void speaks(ScriptedAgent worker, int seconds) {
    for (var i = 0; i < seconds; i++) {
      if (worker.answers.size() >= worker.seq) worker.sync();
      labCluster.advance(1_000);
    }
  }

  @Test
  void leavingMachineFreesItsWorkAtOnce() {
    var desk = joined("desk");
    labCluster.submit(onOwn("j", true));
    labCluster.deliver();
    desk.syncAndWait();
    assertThat(desk.held()).isNotEmpty();

    desk.release();
    desk.drained = true;
    desk.wait = 0;
    desk.room = Resources.ZERO;
    desk.syncAndWait();
    labCluster.advance(3_000);
    labCluster.deliver();
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(state("desk"))
        .isInstanceOfSatisfying(
            WorkerState.Gone.class, g -> assertThat(g.reason()).startsWith("left: "));
    assertThat(labCluster.shards("j")).noneMatch(s -> s.state() == Shard.State.LEASED);
    assertThat(again(desk).syncAndWait().fenced()).isFalse();
    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void terminatingCloudMachineIsNotGivenUp() {
    var launched = labCluster.machine("launched");
    launched.syncAndWait();
    launched.drained = true;
    launched.syncAndWait();

    assertThat(state("launched")).isInstanceOf(WorkerState.Ready.class);
  }
}
