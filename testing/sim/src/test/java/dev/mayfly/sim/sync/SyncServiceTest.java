package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fixture.FailingLedger;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SyncServiceTest {
  private final LabCluster labCluster = new LabCluster();

  @Test
  void theFirstSyncBindsTheMachine() {
    var w = labCluster.machine("w");
    w.sync();

    var worker = labCluster.worker("w");
    assertThat(worker.state()).isInstanceOf(WorkerState.Ready.class);
    assertThat(worker.incarnation()).contains(w.incarnation);
    assertThat(worker.epoch()).isEqualTo(1);
    assertThat(worker.instanceId()).contains("i-w");
    assertThat(w.answers).as("nothing to order: the call waits").isEmpty();
  }

  @Test
  void agentKeepsLeasesAcrossInstances() {
    labCluster.submit(LabCluster.count("j", 4));
    var w = labCluster.machine("w");
    w.startedAt(labCluster.now().plusNanos(589_410_176));
    var granted = w.syncAndWait().leases();
    w.desk = labCluster.control("b");

    assertThat(granted).isNotEmpty();
    assertThat(w.syncAndWait().leases()).containsAll(granted);
    assertThat(labCluster.worker("w").epoch()).as("the agent did not begin anew").isEqualTo(1);
  }

  @Test
  void otherMachineMayNotReportForWorker() {
    var w = labCluster.machine("w");
    w.nonce = "guessed";
    assertThatThrownBy(w::sync).isInstanceOf(DeniedException.class).hasMessageContaining("w");
    assertThat(labCluster.worker("w").state()).isInstanceOf(WorkerState.Booting.class);
  }

  @Test
  void stolenNonceIsUselessElsewhere() {
    var w = labCluster.machine("w");
    w.sync();
    var thief = w.restarted();
    thief.incarnation = new Incarnation("i-thief", "boot", labCluster.now().plusSeconds(9));

    assertThatThrownBy(thief::sync)
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining("machine i-thief can't report for it");

    assertThat(labCluster.worker("w").incarnation()).contains(w.incarnation);
  }

  @Test
  void reportOfUnknownClusterIsDenied() {
    var w = labCluster.machine("w");
    var r = w.report();
    var odd =
        new dev.mayfly.core.model.sync.SyncReport(
            "c-none",
            r.worker(),
            0,
            r.incarnation(),
            r.nonce(),
            1,
            r.total(),
            r.room(),
            r.prefetch(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            false,
            1,
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty());
    assertThatThrownBy(() -> w.sync(odd)).isInstanceOf(DeniedException.class);
  }

  @Test
  void olderIncarnationIsFenced() {
    var old = labCluster.machine("w");
    old.syncAndWait();
    labCluster.advance(1_000);
    var young = old.restarted();
    young.sync();

    assertThat(old.syncAndWait().fenced()).isTrue();
    assertThat(labCluster.worker("w").incarnation()).contains(young.incarnation);
  }

  @Test
  void newerStartReturnsLeasesAndRaisesEpoch() {
    labCluster.submit(LabCluster.count("j", 2));
    var old = labCluster.machine("w");
    old.syncAndWait();
    assertThat(old.held()).isNotEmpty();
    var epoch = labCluster.worker("w").epoch();
    labCluster.advance(1_000);
    labCluster.stop("j");
    var young = old.restarted();
    young.sync();

    assertThat(labCluster.worker("w").epoch()).isEqualTo(epoch + 1);
    assertThat(labCluster.worker("w").held()).isEmpty();
    assertThat(labCluster.shards("j")).allMatch(s -> s.state() == Shard.State.READY);
    assertThat(
            labCluster.shards("j").stream()
                .mapToLong(s -> s.attempts().getOrDefault(FailureCause.LOST, 0L))
                .sum())
        .isEqualTo(2);
    assertThat(labCluster.job("j").state()).isInstanceOf(JobState.Finishing.class);
  }

  @Test
  void grantRepliesToPendingSync() {
    var w = labCluster.machine("w");
    w.sync();
    labCluster.advance(2_000);
    labCluster.submit(LabCluster.count("j", 2));
    labCluster.advance(100);

    assertThat(w.held()).isNotEmpty();
    assertThat(w.last().specs())
        .extracting(s -> s.job())
        .containsExactly(labCluster.job("j").uid());
  }

  @Test
  void idlePendingSyncIsAnsweredAtItsEnd() {
    var w = labCluster.machine("w");
    w.wait = 20;
    w.sync();
    labCluster.advance(19_999);
    assertThat(w.answers).isEmpty();
    labCluster.advance(1);
    assertThat(w.answers).hasSize(1);
  }

  @Test
  void unannouncedChangeIsSeenWithinMinutes() {
    var w = labCluster.machine("w");
    w.syncAndWait();
    var deadline = labCluster.now().plusSeconds(600);
    labCluster.change(
        "w",
        false,
        x ->
            x.with(
                new WorkerState.Draining(
                    labCluster.now(), new DrainReason(DrainCause.UNNEEDED, "old"), deadline)));

    for (var i = 0; i < 7; i++) w.syncAndWait();

    assertThat(w.last().drain()).contains(deadline);
  }

  @Test
  void overtakenCallGrantsNothing() {
    var w = labCluster.machine("w");
    w.syncAndWait();
    var late = w.report();
    w.sync();
    var before = w.answers.size();
    w.sync(late);
    assertThat(w.answers).as("freed at once").hasSize(before + 1);

    labCluster.submit(LabCluster.count("j", 2));
    labCluster.advance(100);
    assertThat(w.answers).as("the newer call got the lease").hasSize(before + 2);
    assertThat(w.last().leases()).isNotEmpty();
  }

  @Test
  void callOvertakenElsewhereGrantsNothing() {
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.sync();
    var there = labCluster.control("b");
    w.desk = there;
    labCluster.submit(LabCluster.count("j", 8));
    w.sync();
    labCluster.advance(100);

    var slots = labCluster.worker("w").held().size();
    assertThat(labCluster.shards("j").stream().filter(s -> s.state() == Shard.State.LEASED).count())
        .isEqualTo(slots);
    assertThat(slots).isLessThanOrEqualTo(2);
    labCluster.advance(30_000);
    assertThat(labCluster.worker("w").held()).hasSize(slots);
  }

  @Test
  void newerSyncReleasesOlderOne() {
    var w = labCluster.machine("w");
    w.sync();
    w.sync();
    assertThat(w.answers).hasSize(1);
  }

  @Test
  void replyMayTriggerNextSync() {
    var w = labCluster.machine("w");
    var answers = new ArrayList<SyncOrders>();
    w.wait = 0;
    w.desk
        .syncService()
        .sync(
            w.report(),
            first -> {
              answers.add(first);
              w.wait = 5;
              w.desk
                  .syncService()
                  .sync(
                      w.report(),
                      second -> {
                        answers.add(second);
                        w.desk.syncService().sync(w.report(), answers::add);
                      });
            });
    labCluster.submit(LabCluster.count("j", 1));
    labCluster.advance(6_000);

    assertThat(answers).hasSizeGreaterThanOrEqualTo(3);
    assertThat(answers.get(1).leases()).hasSize(1);
  }

  @Test
  void failedSyncGetsNoReply() {
    var w = labCluster.machine("w");
    w.syncAndWait();
    labCluster.submit(LabCluster.count("j", 1));
    labCluster.ledger.away = true;
    try {
      w.sync();
    } catch (UnavailableException expected) {
      // Both are correct: refused now, or kept and answered at its end.
      labCluster.ledger.away = false;
      var before = w.answers.size();
      labCluster.advance(60_000);
      assertThat(w.answers).hasSize(before);
      return;
    }
    labCluster.advance(30_000);
    assertThat(w.answers).hasSize(2);
  }

  @Test
  void pendingSyncKeepsLeasesWithoutLedger() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    w.syncAndWait();
    var leases = w.held();
    labCluster.advance(3_000);
    w.sync();
    labCluster.ledger.away = true;
    labCluster.advance(30_000);

    assertThat(w.held()).isEqualTo(leases);
    assertThat(w.last().leases()).noneMatch(SyncOrders.Lease::recall);
  }

  @Test
  void nextSyncRepeatsPassThatFailed() {
    var idle = labCluster.machine("idle");
    idle.sync();
    labCluster.ledger.unknown(FailingLedger::grants);
    labCluster.submit(LabCluster.count("j", 1));
    labCluster.advance(500);
    labCluster.ledger.unknown(_ -> false);
    assertThat(idle.held()).as("nobody has told it").isEmpty();

    var full = labCluster.machine("full");
    full.room = Resources.ZERO;
    full.sync();

    assertThat(idle.held()).isNotEmpty();
  }

  @Test
  void grantsFitTheWorkersRoom() {
    labCluster.submit(LabCluster.count("j", 100));
    var w = labCluster.machine("w");
    w.room = Resources.cpu(1, 8L << 30);
    w.syncAndWait();
    assertThat(labCluster.worker("w").held()).hasSize(1);
  }
}
