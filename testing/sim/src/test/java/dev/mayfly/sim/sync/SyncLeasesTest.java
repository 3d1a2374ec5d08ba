package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.FailingLedger;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Leases in syncs: ended tasks, failures, and both sides' view of a grant. */
class SyncLeasesTest {
  private final LabCluster labCluster = new LabCluster();

  @Test
  void releasedLeaseDisappearsFromOrders() {
    labCluster.submit(LabCluster.count("j", 1));
    var w = labCluster.machine("w");
    w.syncAndWait();
    var orders = w.finish();

    assertThat(orders.leases()).isEmpty();
    assertThat(labCluster.shards("j"))
        .allMatch(s -> s.state() == Shard.State.ENDED && s.done().count() == 1);
  }

  @Test
  void lastShardEndFinishesJobOnce() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    w.syncAndWait();
    labCluster.put("gs://lab/out/j/0.COMPLETE");
    labCluster.put("gs://lab/out/j/1.COMPLETE");
    labCluster.triggers.clear();
    w.complete(i -> true);
    w.release();
    var report = w.report();
    w.sync(report);
    w.sync(report);

    assertThat(labCluster.job("j").state()).isInstanceOf(JobState.Finishing.class);
    assertThat(labCluster.triggers).filteredOn(h -> h instanceof Trigger.Finalize).hasSize(1);
    labCluster.deliver();
    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 2 done (2 before, 0 run)");
  }

  /** What is next on a machine cannot have run there, and loses no attempt with it. */
  @Test
  void lossChargesNoMoreTasksThanHadRoom() {
    for (var job : List.of("j", "k", "l")) labCluster.submit(LabCluster.count(job, 2));
    var w = labCluster.machine("w");
    w.prefetch = Map.of(labCluster.job("k").uid(), 2L, labCluster.job("l").uid(), 2L);
    w.syncAndWait();
    w.syncAndWait();
    var held = w.held().size();

    w.restarted().sync();

    assertThat(held).isEqualTo(3);
    assertThat(
            Stream.of("j", "k", "l")
                .flatMap(job -> labCluster.shards(job).stream())
                .mapToLong(shard -> shard.attempts().getOrDefault(FailureCause.LOST, 0L))
                .sum())
        .as("a machine of two CPUs")
        .isEqualTo(2);
  }

  @Test
  void repeatedFailureIsCountedOnce() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.failed(0);
    w.sync();
    w.sync();
    w.release();
    var report = w.report();
    w.sync(report);
    w.desk = labCluster.control("b");
    w.sync(report);

    var failures = labCluster.shards("j").stream().mapToInt(s -> s.failures().at(0)).sum();
    assertThat(failures).isEqualTo(1);
    assertThat(
            labCluster.shards("j").stream()
                .mapToLong(s -> s.attempts().getOrDefault(FailureCause.USER, 0L))
                .sum())
        .isEqualTo(1);
  }

  @Test
  void reportedFailureCountsWhenWorkerIsLost() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.failed(0);
    w.sync();
    labCluster.advance(1_000);
    w.restarted().sync();

    assertThat(labCluster.shards("j").stream().mapToInt(s -> s.failures().at(0)).sum())
        .isEqualTo(1);
    assertThat(labCluster.shards("j").stream().mapToInt(s -> s.infrastructure().at(0)).sum())
        .isZero();
    assertThat(labCluster.shards("j").stream().mapToInt(s -> s.infrastructure().at(1)).sum())
        .isEqualTo(1);
  }

  @Test
  void thirdFailureFailsTaskAndJob() {
    labCluster.submit(LabCluster.count("j", 1));
    var w = labCluster.machine("w");
    for (var attempt = 0; attempt < 3; attempt++) {
      w.syncAndWait();
      w.failed(0);
      w.release();
    }
    w.syncAndWait();
    labCluster.deliver();

    assertThat(labCluster.end("j"))
        .isEqualTo("FAILED: no (user error, exit code 1); 0 done, 1 failed for good");
    assertThat(labCluster.job("j").state().end().orElseThrow().attempts())
        .containsEntry(FailureCause.USER, 3L);
  }

  @Test
  void conflictCausesNewRead() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    w.sync();
    w.release();
    labCluster.submit(LabCluster.count("k", 2));
    labCluster.ledger.before(
        FailingLedger::grants, () -> labCluster.change("w", false, x -> x.withInstanceId("i-w")));
    labCluster.advance(3_000);
    w.sync();
    labCluster.advance(100);

    assertThat(labCluster.worker("w").instanceId()).contains("i-w");
    assertThat(w.held()).isNotEmpty();
  }

  @Test
  void unacknowledgedGrantIsKept() {
    labCluster.submit(LabCluster.count("j", 1));
    var w = labCluster.machine("w");
    labCluster.ledger.unknown(FailingLedger::grants);
    w.sync();
    labCluster.ledger.unknown(x -> false);
    w.leases.clear();
    w.wait = 0;

    assertThat(w.syncAndWait().leases()).hasSize(1);
    assertThat(labCluster.worker("w").held()).hasSize(1);
    assertThat(labCluster.shards("j"))
        .singleElement()
        .satisfies(s -> assertThat(s.epoch()).isEqualTo(1));
  }

  @Test
  void waitingCallLearnsOfUnacknowledgedGrant() {
    labCluster.submit(LabCluster.count("j", 1));
    var w = labCluster.machine("w");
    labCluster.ledger.unknown(FailingLedger::grants);
    w.sync();
    labCluster.ledger.unknown(x -> false);
    labCluster.advance(10_100);
    assertThat(w.held()).hasSize(1);
  }

  @Test
  void lostReplyIsRepeatedInFull() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    var lost = w.syncAndWait();
    w.leases.clear();
    w.knows.clear();
    labCluster.advance(3_000);
    var again = w.syncAndWait();

    assertThat(again.leases()).isEqualTo(lost.leases());
    assertThat(again.specs()).isEqualTo(lost.specs());
  }

  @Test
  void revokedLeaseIsForgottenByWorker() {
    labCluster.submit(LabCluster.count("j", 1));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.leases.clear();
    // The shard's epoch was raised behind its holder's back.
    var key = labCluster.shards("j").getFirst().key();
    var stored = labCluster.store.read(key).orElseThrow();
    var back =
        ShardTransitions.lose(
            stored.value(),
            List.of(),
            new ShardTransitions.LostHolder("w", FailureCause.LOST, "silent"),
            labCluster.job("j").spec().retries(),
            labCluster.now());
    labCluster.store.commit(List.of(new LedgerWrite.Update(back, stored.version())));
    labCluster.advance(11_000);
    w.wait = 1;
    w.syncAndWait();
    w.syncAndWait();

    assertThat(labCluster.worker("w").held())
        .extracting(h -> h.epoch())
        .doesNotContain(stored.value().epoch());
  }
}
