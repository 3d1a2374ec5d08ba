package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The agents of a slice's hosts, each with its own syncs. */
class HostSyncsTest {
  private final LabCluster labCluster = new LabCluster();
  private final ScriptedAgent first = labCluster.machine("pod", "cpu", "us-a", "v4-32");

  @Test
  void sliceIsReadyOnceAllHostsReport() {
    first.otherHost(3).sync();
    first.sync();
    first.otherHost(1).sync();
    first.otherHost(1).restarted().sync();
    assertThat(labCluster.worker("pod").state()).isInstanceOf(WorkerState.Booting.class);

    first.otherHost(2).sync();

    assertThat(labCluster.worker("pod").state()).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void firstHostMaySyncLast() {
    for (var i = 1; i < 4; i++) first.otherHost(i).sync();
    assertThat(labCluster.worker("pod").state()).isInstanceOf(WorkerState.Booting.class);

    first.sync();

    assertThat(labCluster.worker("pod").state()).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void waitingFirstHostLearnsSliceIsReady() {
    labCluster.submit(LabCluster.count("j", 1).withPlacement(Placement.inPools(List.of("cpu"))));
    for (var i = 1; i < 3; i++) first.otherHost(i).sync();
    first.sync();
    labCluster.advance(2_000);
    labCluster.ledger.before(HostSyncsTest::readies, () -> labCluster.advance(100));

    first.otherHost(3).sync();
    labCluster.advance(2_000);

    assertThat(first.last().gang()).isNotEmpty();
  }

  private static boolean readies(List<LedgerWrite> ledgerWrites) {
    return ledgerWrites.stream()
        .anyMatch(w ->
            w instanceof LedgerWrite.Update u
                && u.document() instanceof Worker worker
                && worker.state() instanceof WorkerState.Ready);
  }

  @Test
  void hostWithoutSliceSecretIsRefused() {
    var stranger = first.otherHost(1);
    stranger.nonce = "guessed";

    assertThatThrownBy(stranger::sync)
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining("pod");
    assertThat(stranger.answers).isEmpty();
  }

  @Test
  void unknownHostIsFenced() {
    assertThat(first.otherHost(4).syncAndWait().fenced()).isTrue();
    assertThat(labCluster.machine("m", "cpu", "us-a").otherHost(1).syncAndWait().fenced()).isTrue();
  }

  @Test
  void olderHostAgentIsFenced() {
    var old = first.otherHost(1);
    old.sync();
    labCluster.advance(1_000);

    var next = old.restarted();
    next.sync();

    assertThat(old.syncAndWait().fenced()).isTrue();
    assertThat(next.syncAndWait().fenced()).isFalse();
  }

  @Test
  void otherMachineCannotReplaceBoundHost() {
    for (var host : new int[] {0, 1}) {
      var bound = host == 0 ? first : first.otherHost(host);
      bound.sync();
      labCluster.advance(1_000);
      var thief = host == 0 ? first.restarted() : bound.restarted();
      thief.incarnation = new Incarnation("i-thief", "boot", labCluster.now());

      assertThatThrownBy(thief::sync)
          .isInstanceOf(DeniedException.class)
          .hasMessageContaining("host " + host)
          .hasMessageContaining("machine i-thief can't report for it");
    }
  }

  @Test
  void hostOfLostSliceIsFenced() {
    var host = first.otherHost(1);
    host.sync();
    first.sync();

    labCluster.change(
        "pod",
        true,
        w -> w.with(new WorkerState.Lost(labCluster.now(), FailureCause.LOST, "silent")));

    labCluster.advance(1_000);
    assertThat(host.last().fenced()).isTrue();
    assertThat(first.last().fenced()).isTrue();
  }

  @Test
  void onlyFirstHostGetsLeases() {
    for (var i = 1; i < 4; i++) first.otherHost(i).sync();
    first.sync();
    labCluster.submit(LabCluster.count("j", 20));
    labCluster.deliver();

    assertThat(first.otherHost(1).syncAndWait().leases()).isEmpty();
  }
}
