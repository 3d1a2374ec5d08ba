package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.port.Write;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a sync tells of leases: what ended, what failed, and what both sides know of a grant. */
class SyncLeasesTest {
  private final Lab lab = new Lab();

  @Test
  void aReleasedLeaseIsAcknowledgedByOrdersThatNoLongerNameIt() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    w.ask();
    var orders = w.finish();

    assertThat(orders.leases()).isEmpty();
    assertThat(lab.shards("j"))
        .allMatch(s -> s.state() == Shard.State.ENDED && s.done().count() == 1);
  }

  @Test
  void theSyncThatEndsTheLastShardMovesTheJobOnExactlyOnce() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    w.ask();
    lab.put("gs://lab/out/j/0.COMPLETE");
    lab.put("gs://lab/out/j/1.COMPLETE");
    lab.hints.clear();
    w.did(i -> true);
    w.release();
    var report = w.report();
    w.call(report);
    w.call(report);

    assertThat(lab.job("j").state()).isInstanceOf(JobState.Finishing.class);
    assertThat(lab.hints).filteredOn(h -> h instanceof Hint.Audit).hasSize(1);
    lab.deliver();
    assertThat(lab.end("j")).isEqualTo("SUCCEEDED: 2 done");
  }

  @Test
  void aFailureIsCountedOnceHoweverOftenItIsTold() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    w.ask();
    w.failed(0);
    w.call();
    w.call();
    w.release();
    var report = w.report();
    w.call(report);
    w.desk = lab.control("b");
    w.call(report);

    var failures = lab.shards("j").stream().mapToInt(s -> s.failures().at(0)).sum();
    assertThat(failures).isEqualTo(1);
    assertThat(
            lab.shards("j").stream()
                .mapToLong(s -> s.attempts().getOrDefault(Cause.USER, 0L))
                .sum())
        .isEqualTo(1);
  }

  @Test
  void aFailureThatWasToldIsCountedWhenItsWorkerIsLost() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    w.ask();
    w.failed(0);
    w.call();
    lab.pass(1_000);
    w.restarted().call();

    assertThat(lab.shards("j").stream().mapToInt(s -> s.failures().at(0)).sum()).isEqualTo(1);
    assertThat(lab.shards("j").stream().mapToInt(s -> s.infrastructure().at(0)).sum()).isZero();
    assertThat(lab.shards("j").stream().mapToInt(s -> s.infrastructure().at(1)).sum()).isEqualTo(1);
  }

  @Test
  void aTaskThatFailsThreeTimesFailsForGoodAndItsJobEnds() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    for (var attempt = 0; attempt < 3; attempt++) {
      w.ask();
      w.failed(0);
      w.release();
    }
    w.ask();
    lab.deliver();

    assertThat(lab.end("j")).isEqualTo("FAILED: 0 done, 1 failed for good");
    assertThat(lab.job("j").attempts()).containsEntry(Cause.USER, 3L);
  }

  @Test
  void aConflictMakesItLookAgain() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    w.call();
    w.release();
    lab.submit(Lab.count("k", 2));
    lab.ledger.before(Tripwire::grants, () -> lab.change("w", false, x -> x.seen("i-w")));
    lab.pass(3_000);
    w.call();
    lab.pass(100);

    assertThat(lab.worker("w").instanceId()).contains("i-w");
    assertThat(w.held()).isNotEmpty();
  }

  @Test
  void aGrantOfWhichNobodyKnowsIsNeitherLostNorDoubled() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    lab.ledger.unknown(Tripwire::grants);
    w.call();
    lab.ledger.unknown(x -> false);
    w.leases.clear();
    w.wait = 0;

    assertThat(w.ask().leases()).hasSize(1);
    assertThat(lab.worker("w").held()).hasSize(1);
    assertThat(lab.shards("j")).singleElement().satisfies(s -> assertThat(s.epoch()).isEqualTo(1));
  }

  @Test
  void aCallThatWaitsLearnsOfSuchAGrantByItself() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    lab.ledger.unknown(Tripwire::grants);
    w.call();
    lab.ledger.unknown(x -> false);
    lab.pass(10_100);
    assertThat(w.held()).hasSize(1);
  }

  @Test
  void anAgentWhoseReplyWasLostGetsItsLeasesAgainInFull() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    var lost = w.ask();
    w.leases.clear();
    w.knows.clear();
    lab.pass(3_000);
    var again = w.ask();

    assertThat(again.leases()).isEqualTo(lost.leases());
    assertThat(again.specs()).isEqualTo(lost.specs());
  }

  @Test
  void aLeaseThatIsNobodysAnyMoreIsForgottenByItsWorker() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    w.ask();
    w.leases.clear();
    // Somebody raised the shard's epoch without its holder.
    var key = lab.shards("j").getFirst().key();
    var stored = lab.store.read(key).orElseThrow();
    var back =
        dev.mayfly.core.lease.Shards.lose(
            stored.value(), List.of(), Cause.LOST, lab.job("j").spec().retries(), lab.now());
    lab.store.commit(List.of(new Write.Update(back, stored.version())));
    lab.pass(11_000);
    w.wait = 1;
    w.ask();
    w.ask();

    assertThat(lab.worker("w").held())
        .extracting(h -> h.epoch())
        .doesNotContain(stored.value().epoch());
  }
}
