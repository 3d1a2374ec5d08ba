package dev.mayfly.core.gang;

import static dev.mayfly.core.gang.Samples.LATER;
import static dev.mayfly.core.gang.Samples.NOW;
import static dev.mayfly.core.gang.Samples.ONE;
import static dev.mayfly.core.gang.Samples.TABLE;
import static dev.mayfly.core.gang.Samples.ZERO;
import static dev.mayfly.core.gang.Samples.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.GangMember;
import dev.mayfly.core.model.GangOrder;
import dev.mayfly.core.model.GangOrder.Step;
import dev.mayfly.core.model.GangPhase;
import dev.mayfly.core.model.GangRun;
import dev.mayfly.core.model.GangStage;
import dev.mayfly.core.model.GangTimes;
import dev.mayfly.core.model.HostId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GangLifecycleTest {
  @Test
  void everyEventTwiceIsTheEventOnce() {
    for (var run : Samples.phases())
      for (var event : Samples.events()) {
        var once = TABLE.on(run, event);

        assertThat(TABLE.on(once, event)).as("%s in %s", event, run.phase()).isEqualTo(once);
      }
  }

  @Test
  void nobodyStartsBeforeAllArePrepared() {
    var half = said(Samples.prepare(), ZERO, GangStage.PREPARED, 0);

    assertThat(step(half, ZERO)).isEqualTo(Step.PREPARE);
    assertThat(step(said(half, ONE, GangStage.PREPARED, 0), ZERO)).isEqualTo(Step.RUN);
  }

  @Test
  void rankZeroPublishesWhenAllEndedWithZeroAndNobodyElseDoes() {
    var half = Samples.settle();

    assertThat(step(half, ZERO)).isEqualTo(Step.RUN);
    var all = said(half, ONE, GangStage.EXITED, 0);
    assertThat(step(all, ZERO)).isEqualTo(Step.PUBLISH);
    assertThat(step(all, ONE)).isEqualTo(Step.RUN);
    assertThat(said(all, ZERO, GangStage.PUBLISHED, 0).phase()).isInstanceOf(GangPhase.Done.class);
  }

  @Test
  void oneFailedExitKillsAllAndTheNextRunWaitsForEveryConfirmation() {
    var killed = said(Samples.settle(), ONE, GangStage.EXITED, 3);

    assertThat(List.of(step(killed, ZERO), step(killed, ONE))).containsOnly(Step.KILL);
    var half = TABLE.on(killed, Samples.clear(ONE));
    assertThat(half.phase()).isInstanceOf(GangPhase.Kill.class);
    assertThatThrownBy(() -> half.again(half.members(), GangTimes.DEFAULT, NOW))
        .isInstanceOf(IllegalStateException.class);
    var cleared = TABLE.on(half, Samples.clear(ZERO));
    assertThat(cleared.phase())
        .isInstanceOfSatisfying(
            GangPhase.Cleared.class, c -> assertThat(c.fault().cause()).isEqualTo(Cause.USER));
    var members = List.of(GangMember.of(ZERO, "10.0.0.1"), GangMember.of(ONE, "10.0.0.2"));
    assertThat(cleared.again(members, GangTimes.DEFAULT, NOW).number()).isEqualTo(2);
  }

  @Test
  void aHostThatIsSilentIsBadAndOnlyItsMachinesEndClearsIt() {
    var lost = TABLE.on(Samples.run(), new GangEvent.HostLost(NOW, ONE, Cause.PREEMPTED, "taken"));

    assertThat(lost.bad()).extracting(GangMember::host).containsExactly(ONE);
    var waiting = TABLE.on(lost, Samples.clear(ZERO));
    assertThat(waiting.phase().ended()).isFalse();
    assertThat(TABLE.on(waiting, new GangEvent.HostGone(NOW, ONE)).phase())
        .isInstanceOf(GangPhase.Cleared.class);
  }

  @Test
  void aHostThatIsGoneWhileAnotherPublishesNeedNotConfirmIfThatFailsToo() {
    var gone = TABLE.on(Samples.publish(), new GangEvent.HostGone(NOW, ONE));

    assertThat(step(gone, ZERO)).isEqualTo(Step.PUBLISH);
    var killed = TABLE.on(gone, new GangEvent.HostLost(NOW, ZERO, Cause.LOST, "silent"));
    assertThat(TABLE.on(killed, new GangEvent.HostGone(NOW, ZERO)).phase())
        .isInstanceOf(GangPhase.Cleared.class);
  }

  @Test
  void anAgentThatBeganAnewInTheMiddleFailsTheRun() {
    assertThat(TABLE.on(Samples.run(), Samples.anew(ONE)).phase())
        .isInstanceOf(GangPhase.Kill.class);
    assertThat(TABLE.on(Samples.prepare(), Samples.anew(ONE))).isEqualTo(Samples.prepare());
  }

  @Test
  void aDeviceThatStaysBusyIsTheMachinesFaultAndNotTheTasks() {
    var killed = TABLE.on(Samples.prepare(), Samples.trouble(ONE, true));

    assertThat(killed.bad()).extracting(GangMember::host).containsExactly(ONE);
    assertThat(((GangPhase.Kill) killed.phase()).fault().cause().budget())
        .isEqualTo(Cause.Budget.INFRASTRUCTURE);
  }

  @Test
  void everyPhaseThatWaitsEndsAtItsDeadlineAndNamesWhoMissedIt() {
    var half = said(Samples.prepare(), ZERO, GangStage.PREPARED, 0);
    assertThat(bad(half)).containsExactly(ONE);
    assertThat(bad(Samples.settle())).as("too long by the user's own limit").isEmpty();
    assertThat(bad(Samples.publish())).containsExactly(ZERO);
    assertThat(bad(TABLE.on(Samples.kill(), Samples.clear(ONE)))).containsExactly(ZERO);
    assertThat(bad(Samples.run())).as("too long by the user's own limit").isEmpty();
    var startBy = ((GangPhase.Run) Samples.run().phase()).startBy();
    var late = TABLE.on(Samples.run(), new GangEvent.TimePassed(startBy));
    assertThat(late.bad()).extracting(GangMember::host).containsExactly(ZERO, ONE);
  }

  @Test
  void whoIsToldOfAnOldRunAfterItWasKilledDoesNothing() {
    var order = Samples.run().order(ZERO).orElseThrow();
    var kill = Samples.kill().order(ZERO).orElseThrow();
    var host = Membership.NEW.on(Samples.prepare().order(ZERO).orElseThrow()).prepared();

    var killed = host.on(order).began().on(kill).killed();
    assertThat(killed.cleared()).isEqualTo(1);
    assertThat(killed.on(order)).isEqualTo(killed);
    assertThat(Membership.NEW.on(order).busy()).isEqualTo(Membership.Action.NONE);
  }

  @Test
  void twoGangsContendAndOneHasAllAndTheOtherNone() {
    var two = List.of(ZERO, ONE);
    var other = new dev.mayfly.core.model.LeaseRef("j2", 0, 1);

    var first = Claims.NONE.claim(Samples.LEASE, 2, two).orElseThrow();
    assertThat(first.claims().claim(other, 1, two)).isEmpty();
    assertThat(Claims.NONE.claim(other, 3, two)).isEmpty();
    assertThatThrownBy(() -> first.claims().release(Samples.kill()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(first.claims().release(Samples.cleared()).claim(other, 2, two)).isPresent();
  }

  private static Step step(GangRun run, HostId host) {
    return run.order(host).map(GangOrder::step).orElse(Step.NOTHING);
  }

  private static List<HostId> bad(GangRun run) {
    var late = TABLE.on(run, new GangEvent.TimePassed(LATER));
    assertThat(late.phase()).isInstanceOf(GangPhase.Kill.class);
    assertThat(Optional.of(late.phase())).isNotEqualTo(Optional.of(Samples.prepare().phase()));
    return late.bad().stream().map(GangMember::host).toList();
  }
}
