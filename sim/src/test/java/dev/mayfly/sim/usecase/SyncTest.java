package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.WorkerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SyncTest {
  private final Lab lab = new Lab();

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
  void anAgentThatCallsAnotherInstanceKeepsItsLeases() {
    lab.submit(Lab.count("j", 4));
    var w = lab.machine("w");
    w.began(lab.now().plusNanos(589_410_176));
    var granted = w.ask().leases();
    w.desk = lab.control("b");

    assertThat(granted).isNotEmpty();
    assertThat(w.ask().leases()).containsAll(granted);
    assertThat(lab.worker("w").epoch()).as("the agent did not begin anew").isEqualTo(1);
  }

  @Test
  void anotherMachineMayNotSpeakForIt() {
    var w = lab.machine("w");
    w.nonce = "guessed";
    assertThatThrownBy(w::call).isInstanceOf(Denied.class).hasMessageContaining("w");
    assertThat(lab.worker("w").state()).isInstanceOf(WorkerState.Booting.class);
  }

  @Test
  void aValueThatGotOutOfTheMachineIsOfNoUseOnAnother() {
    var w = lab.machine("w");
    w.call();
    var thief = w.restarted();
    thief.incarnation = new Incarnation("i-thief", "boot", lab.now().plusSeconds(9));

    assertThatThrownBy(thief::call)
        .isInstanceOf(Denied.class)
        .hasMessageContaining("machine i-thief can't report for it");

    assertThat(lab.worker("w").incarnation()).contains(w.incarnation);
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
  void aChangeThatNobodyToldIsSeenWithinAFewMinutesHoweverOftenTheWorkerCalls() {
    var w = lab.machine("w");
    w.ask();
    var deadline = lab.now().plusSeconds(600);
    lab.change("w", false, x -> x.with(new WorkerState.Draining(lab.now(), "old", deadline)));

    for (var i = 0; i < 7; i++) w.ask();

    assertThat(w.last().drain()).contains(deadline);
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
  void aWorkerIsGivenWhatItHasRoomForAndNoMore() {
    lab.submit(Lab.count("j", 100));
    var w = lab.machine("w");
    w.room = Resources.cpu(1, 8L << 30);
    w.ask();
    assertThat(lab.worker("w").held()).hasSize(1);
  }
}
