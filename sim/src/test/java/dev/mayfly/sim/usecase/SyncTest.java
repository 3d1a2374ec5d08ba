package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SyncTest {
  private final Lab lab = new Lab();

  private static boolean grants(List<Write> writes) {
    return writes.stream()
        .anyMatch(w ->
            w instanceof Write.Update u
                && u.document() instanceof Shard s
                && s.state() == Shard.State.LEASED);
  }

  @Test
  void theFirstSyncBindsTheMachine() {
    var w = lab.machine("w");
    w.call();

    var worker = lab.worker("w");
    assertThat(worker.state()).isInstanceOf(WorkerState.Ready.class);
    assertThat(worker.incarnation()).contains(w.incarnation);
    assertThat(worker.epoch()).isEqualTo(1);
    assertThat(worker.instanceId()).contains("i-w");
    assertThat(w.answers).as("nothing to order: the call waits").isEmpty();
  }

  @Test
  void anotherMachineMayNotSpeakForIt() {
    var w = lab.machine("w");
    w.nonce = "guessed";
    assertThatThrownBy(w::call).isInstanceOf(Denied.class).hasMessageContaining("w");
    assertThat(lab.worker("w").state()).isInstanceOf(WorkerState.Booting.class);
  }

  @Test
  void aReportOfAClusterThatIsNotIsDenied() {
    var w = lab.machine("w");
    var r = w.report();
    var odd =
        new dev.mayfly.core.model.SyncReport(
            "c-none",
            r.worker(),
            0,
            r.incarnation(),
            r.nonce(),
            1,
            r.total(),
            r.room(),
            r.appetite(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            false,
            1,
            Optional.empty());
    assertThatThrownBy(() -> w.call(odd)).isInstanceOf(Denied.class);
  }

  @Test
  void anOlderStartOfTheAgentIsFenced() {
    var old = lab.machine("w");
    old.ask();
    lab.pass(1_000);
    var young = old.restarted();
    young.call();

    assertThat(old.ask().fenced()).isTrue();
    assertThat(lab.worker("w").incarnation()).contains(young.incarnation);
  }

  @Test
  void aNewerStartReturnsTheLeasesAndRaisesTheEpoch() {
    lab.submit(Lab.count("j", 2));
    var old = lab.machine("w");
    old.ask();
    assertThat(old.held()).isNotEmpty();
    var epoch = lab.worker("w").epoch();
    lab.pass(1_000);
    lab.stop("j");
    var young = old.restarted();
    young.call();

    assertThat(lab.worker("w").epoch()).isEqualTo(epoch + 1);
    assertThat(lab.worker("w").held()).isEmpty();
    assertThat(lab.shards("j")).allMatch(s -> s.state() == Shard.State.READY);
    assertThat(
            lab.shards("j").stream()
                .mapToLong(s -> s.attempts().getOrDefault(Cause.LOST, 0L))
                .sum())
        .isEqualTo(2);
    assertThat(lab.job("j").state()).isInstanceOf(JobState.Finishing.class);
  }

  @Test
  void aGrantIsAnsweredToACallThatWaits() {
    var w = lab.machine("w");
    w.call();
    lab.pass(2_000);
    lab.submit(Lab.count("j", 2));
    lab.pass(100);

    assertThat(w.held()).isNotEmpty();
    assertThat(w.last().specs()).extracting(s -> s.job()).containsExactly(lab.job("j").uid());
  }

  @Test
  void aCallWithoutNewsIsAnsweredAtItsEnd() {
    var w = lab.machine("w");
    w.wait = 20;
    w.call();
    lab.pass(19_999);
    assertThat(w.answers).isEmpty();
    lab.pass(1);
    assertThat(w.answers).hasSize(1);
  }

  @Test
  void anOvertakenCallGrantsNothingAndDoesNotReplaceTheNewerOne() {
    var w = lab.machine("w");
    w.ask();
    var late = w.report();
    w.call();
    var before = w.answers.size();
    w.call(late);
    assertThat(w.answers).as("freed at once").hasSize(before + 1);

    lab.submit(Lab.count("j", 2));
    lab.pass(100);
    assertThat(w.answers).as("the newer call got the lease").hasSize(before + 2);
    assertThat(w.last().leases()).isNotEmpty();
  }

  @Test
  void aCallThatANewerOneOvertookElsewhereGrantsNothingHere() {
    var w = lab.machine("w");
    w.ask();
    w.call();
    var there = lab.control("b");
    w.desk = there;
    lab.submit(Lab.count("j", 8));
    w.call();
    lab.pass(100);

    var slots = lab.worker("w").held().size();
    assertThat(lab.shards("j").stream().filter(s -> s.state() == Shard.State.LEASED).count())
        .isEqualTo(slots);
    assertThat(slots).isLessThanOrEqualTo(2);
    lab.pass(30_000);
    assertThat(lab.worker("w").held()).hasSize(slots);
  }

  @Test
  void aNewerCallFreesTheOlderOne() {
    var w = lab.machine("w");
    w.call();
    w.call();
    assertThat(w.answers).hasSize(1);
  }

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
    lab.ledger.before(SyncTest::grants, () -> lab.change("w", false, x -> x.seen("9")));
    lab.pass(3_000);
    w.call();
    lab.pass(100);

    assertThat(lab.worker("w").instanceId()).contains("9");
    assertThat(w.held()).isNotEmpty();
  }

  @Test
  void aGrantOfWhichNobodyKnowsIsNeitherLostNorDoubled() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    lab.ledger.unknown(SyncTest::grants);
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
    lab.ledger.unknown(SyncTest::grants);
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

  @Test
  void oneShardIsCutForManyThatWait() {
    var wide = new Lab(1);
    wide.submit(Lab.count("j", 64));
    var all = new ArrayList<Caller>();
    for (var i = 0; i < 6; i++) all.add(wide.machine("w" + i));
    wide.submit(Lab.count("x", 1));
    wide.stop("x");
    wide.stop("j");
    wide.deliver();
    all.forEach(Caller::call);
    wide.pass(3_000);
    wide.submit(Lab.count("k", 12));
    wide.pass(11_000);

    assertThat(all).allMatch(w -> !w.held().isEmpty());
    var next = 0L;
    for (var shard : wide.shards("k")) {
      assertThat(shard.start()).isEqualTo(next);
      next = shard.end();
    }
    assertThat(next).isEqualTo(12);
  }

  @Test
  void theIdleTakeTheRestOfAShardAndItsHolderIsToldItsNewEnd() {
    var one = new Lab(1);
    one.submit(Lab.spec("j", new TaskSource.Count(800), Optional.empty(), false));
    var rich = one.machine("rich");
    rich.ask();
    rich.appetite = java.util.Map.of(one.job("j").uid(), 2_000L);
    rich.ask();
    var shards = one.shards("j").size();
    assertThat(one.shards("j")).allMatch(s -> s.state() == Shard.State.LEASED);
    rich.call();
    one.pass(12_000);
    // With leases a call waits for a beat: this is the next one.
    rich.call();
    var poor = one.machine("poor");
    poor.call();
    one.pass(100);

    assertThat(poor.held()).isNotEmpty();
    assertThat(one.shards("j").size()).isGreaterThan(shards);
    var ends =
        one.shards("j").stream()
            .filter(s -> rich.held().stream().anyMatch(r -> r.start() == s.start()))
            .mapToLong(Shard::end)
            .sum();
    assertThat(rich.leases.values().stream().mapToLong(l -> l.end()).sum())
        .as("the holder knows")
        .isEqualTo(ends);
    assertThat(rich.held()).as("a steal kills nothing").hasSize(shards);
  }

  @Test
  void exclusiveWorkIsNeverTaken() {
    var one = new Lab(1);
    one.submit(Lab.spec("j", new TaskSource.Count(8), Optional.empty(), true));
    var rich = one.machine("rich");
    rich.appetite = java.util.Map.of(one.job("j").uid(), 2_000L);
    rich.ask();
    rich.ask();
    var before = one.shards("j").size();
    var poor = one.machine("poor");
    poor.wait = 20;
    rich.call();
    poor.call();
    one.pass(15_000);
    assertThat(one.shards("j")).hasSize(before);
  }

  @Test
  void aStopRecallsWhatRunsWithinTheNextSyncAndGrantsNothing() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    w.ask();
    w.call();
    lab.stop("j");
    lab.pass(100);

    assertThat(w.last().leases()).isNotEmpty().allMatch(SyncOrders.Lease::recall);
    assertThat(lab.job("j").state()).isInstanceOf(JobState.Stopping.class);
    w.release();
    w.call();
    lab.deliver();
    assertThat(lab.end("j")).startsWith("STOPPED: 0 done, 2 not run");
  }

  @Test
  void aLeaseThatAnInstanceGrantsAfterAStopComesWithItsRecall() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    var job = lab.job("j").key();
    // The stop is committed between the instance's look at the job and its grant.
    lab.ledger.before(
        SyncTest::grants,
        () -> {
          var stored = lab.store.read(job).orElseThrow();
          lab.store.commit(
              List.of(
                  new Write.Update(
                      stored.value().with(new JobState.Stopping(lab.now(), "x")),
                      stored.version())));
        });
    var orders = w.ask();
    assertThat(orders.leases()).isNotEmpty().allMatch(SyncOrders.Lease::recall);
  }

  @Test
  void aDrainIsToldOnceAndConfirmed() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    w.ask();
    w.call();
    lab.change(
        "w",
        true,
        x -> x.with(new WorkerState.Draining(lab.now(), "idle", lab.now().plusSeconds(300))));
    lab.pass(100);
    assertThat(w.last().drain()).contains(lab.now().plusSeconds(300).minusMillis(100));

    var told = w.answers.size();
    w.call();
    lab.pass(5_000);
    assertThat(w.answers).as("not told again at once").hasSize(told);

    lab.hints.clear();
    w.release();
    w.drained = true;
    w.call();
    lab.pass(25_000);
    w.ask();
    assertThat(lab.worker("w").state()).isInstanceOf(WorkerState.Drained.class);
    assertThat(lab.hints).contains(new Hint.Look(lab.uid));
    assertThat(lab.worker("w").held()).isEmpty();
  }

  @Test
  void aNoticeDrainsAndAsksForALook() {
    var w = lab.machine("w");
    w.ask();
    lab.hints.clear();
    w.notice = Optional.of(lab.now());
    w.call();

    assertThat(lab.worker("w").state()).isInstanceOf(WorkerState.Draining.class);
    assertThat(lab.hints).contains(new Hint.Look(lab.uid));
    lab.submit(Lab.count("j", 1));
    lab.pass(1_000);
    assertThat(w.held()).as("it gets no more work").isEmpty();
  }

  @Test
  void aLostWorkerIsFencedAndGivesExclusiveWorkBackWhenNothingRuns() {
    lab.submit(Lab.spec("j", new TaskSource.Count(1), Optional.empty(), true));
    var w = lab.machine("w");
    w.ask();
    w.call();
    lab.change(
        "w",
        true,
        x -> x.atEpoch(x.epoch() + 1).with(new WorkerState.Lost(lab.now(), Cause.LOST, "silent")));
    lab.pass(100);
    assertThat(w.last().fenced()).isTrue();

    assertThat(w.ask().fenced()).isTrue();
    assertThat(lab.shards("j").getFirst().state())
        .as("it still runs")
        .isEqualTo(Shard.State.LEASED);
    w.release();
    assertThat(w.ask().fenced()).isTrue();
    assertThat(lab.shards("j").getFirst().state()).isEqualTo(Shard.State.READY);
    assertThat(lab.worker("w").held()).isEmpty();
  }

  @Test
  void anOlderStartDoesNotGiveBackWhatTheLostNewerOneMayRun() {
    var old = lab.machine("w");
    old.ask();
    lab.pass(1_000);
    var young = old.restarted();
    lab.submit(Lab.spec("j", new TaskSource.Count(1), Optional.empty(), true));
    young.ask();
    lab.change("w", true, x -> x.with(new WorkerState.Lost(lab.now(), Cause.LOST, "silent")));
    lab.pass(100);
    old.ask();

    assertThat(lab.shards("j").getFirst().state()).isEqualTo(Shard.State.LEASED);
  }

  @Test
  void anAnswerMayLeadToTheNextCallAtOnce() {
    var w = lab.machine("w");
    var answers = new ArrayList<SyncOrders>();
    w.wait = 0;
    w.desk
        .desk()
        .sync(
            w.report(),
            first -> {
              answers.add(first);
              w.wait = 5;
              w.desk
                  .desk()
                  .sync(
                      w.report(),
                      second -> {
                        answers.add(second);
                        w.desk.desk().sync(w.report(), answers::add);
                      });
            });
    lab.submit(Lab.count("j", 1));
    lab.pass(6_000);

    assertThat(answers).hasSizeGreaterThanOrEqualTo(3);
    assertThat(answers.get(1).leases()).hasSize(1);
  }

  @Test
  void aSyncThatFailsIsNotAnsweredToo() {
    var w = lab.machine("w");
    w.ask();
    lab.submit(Lab.count("j", 1));
    lab.ledger.away = true;
    try {
      w.call();
    } catch (Unavailable expected) {
      // Either is right: refused now, or kept and answered at its end.
      lab.ledger.away = false;
      var before = w.answers.size();
      lab.pass(60_000);
      assertThat(w.answers).hasSize(before);
      return;
    }
    lab.pass(30_000);
    assertThat(w.answers).hasSize(2);
  }

  @Test
  void withoutTheLedgerAWaitingCallIsToldWhatItSaid() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    w.ask();
    var leases = w.held();
    lab.pass(3_000);
    w.call();
    lab.ledger.away = true;
    lab.pass(30_000);

    assertThat(w.held()).isEqualTo(leases);
    assertThat(w.last().leases()).noneMatch(SyncOrders.Lease::recall);
  }

  @Test
  void syncsWithoutNewsWriteNoWorkerAndBeatsAtMostOnceASecond() {
    var w = lab.machine("w");
    w.wait = 1;
    w.ask();
    var version = lab.store.read(new Key.OfWorker(lab.uid, "w")).orElseThrow().version();
    var before = lab.ledger.commits;
    for (var i = 0; i < 40; i++) {
      w.call();
      lab.pass(250);
    }
    assertThat(lab.store.read(new Key.OfWorker(lab.uid, "w")).orElseThrow().version())
        .isEqualTo(version);
    assertThat(lab.ledger.commits - before).isBetween(5, 14);
    var beats = lab.store.read(new Key.OfBeats(lab.uid, "a")).orElseThrow().value();
    assertThat(beats.due().get("w")).isBetween(lab.now().plusSeconds(8), lab.now().plusSeconds(10));
  }

  @Test
  void aWaitingCallsWorkerIsDueWhenTheCallEnds() {
    var w = lab.machine("w");
    w.call();
    lab.pass(2_000);
    var due = lab.store.read(new Key.OfBeats(lab.uid, "a")).orElseThrow().value().due().get("w");
    assertThat(due).isEqualTo(lab.now().plusSeconds(23));
  }

  @Test
  void aWorkerIsGivenWhatItHasRoomForAndNoMore() {
    lab.submit(Lab.count("j", 100));
    var w = lab.machine("w");
    w.room = Resources.cpu(1, 8L << 30);
    w.ask();
    assertThat(lab.worker("w").held()).hasSize(1);
  }
}
