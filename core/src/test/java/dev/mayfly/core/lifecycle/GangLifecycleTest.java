package dev.mayfly.core.lifecycle;

import static dev.mayfly.core.lifecycle.GangSamples.LATER;
import static dev.mayfly.core.lifecycle.GangSamples.NOW;
import static dev.mayfly.core.lifecycle.GangSamples.ONE;
import static dev.mayfly.core.lifecycle.GangSamples.TABLE;
import static dev.mayfly.core.lifecycle.GangSamples.ZERO;
import static dev.mayfly.core.lifecycle.GangSamples.reported;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangMember;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.gang.GangOrder.Step;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.worker.HostId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GangLifecycleTest {
  @Test
  void everyEventTwiceIsTheEventOnce() {
    for (var run : GangSamples.phases())
      for (var event : GangSamples.events()) {
        var once = TABLE.on(run, event);

        assertThat(TABLE.on(once, event)).as("%s in %s", event, run.phase()).isEqualTo(once);
      }
  }

  @Test
  void noHostStartsBeforeAllArePrepared() {
    var half = reported(GangSamples.prepare(), ZERO, GangMemberStage.PREPARED, 0);

    assertThat(step(half, ZERO)).isEqualTo(Step.PREPARE);
    assertThat(step(reported(half, ONE, GangMemberStage.PREPARED, 0), ZERO)).isEqualTo(Step.RUN);
  }

  @Test
  void rankZeroPublishesAfterAllSucceed() {
    var half = GangSamples.settle();

    assertThat(step(half, ZERO)).isEqualTo(Step.RUN);
    var all = reported(half, ONE, GangMemberStage.EXITED, 0);
    assertThat(step(all, ZERO)).isEqualTo(Step.PUBLISH);
    assertThat(step(all, ONE)).isEqualTo(Step.RUN);
    assertThat(reported(all, ZERO, GangMemberStage.PUBLISHED, 0).phase())
        .isInstanceOf(GangPhase.Done.class);
  }

  @Test
  void failedExitKillsAllBeforeNextRun() {
    var killed = reported(GangSamples.settle(), ONE, GangMemberStage.EXITED, 3);

    assertThat(List.of(step(killed, ZERO), step(killed, ONE))).containsOnly(Step.KILL);
    var half = TABLE.on(killed, GangSamples.clear(ONE));
    assertThat(half.phase()).isInstanceOf(GangPhase.Kill.class);
    assertThatThrownBy(() -> half.nextRun(half.members(), GangPhaseTimeouts.DEFAULT, NOW))
        .isInstanceOf(IllegalStateException.class);
    var cleared = TABLE.on(half, GangSamples.clear(ZERO));
    assertThat(cleared.phase())
        .isInstanceOfSatisfying(
            GangPhase.Cleared.class,
            c -> assertThat(c.fault().cause()).isEqualTo(FailureCause.USER));
    var members = List.of(GangMember.of(ZERO, "10.0.0.1"), GangMember.of(ONE, "10.0.0.2"));
    assertThat(cleared.nextRun(members, GangPhaseTimeouts.DEFAULT, NOW).number()).isEqualTo(2);
  }

  @Test
  void silentHostIsClearedOnlyByMachineEnd() {
    var lost =
        TABLE.on(
            GangSamples.run(), new GangEvent.HostLost(NOW, ONE, FailureCause.PREEMPTED, "taken"));

    assertThat(lost.bad()).extracting(GangMember::host).containsExactly(ONE);
    var waiting = TABLE.on(lost, GangSamples.clear(ZERO));
    assertThat(waiting.phase().ended()).isFalse();
    assertThat(TABLE.on(waiting, new GangEvent.HostGone(NOW, ONE)).phase())
        .isInstanceOf(GangPhase.Cleared.class);
  }

  @Test
  void goneHostNeedNotConfirmFailedPublication() {
    var gone = TABLE.on(GangSamples.publish(), new GangEvent.HostGone(NOW, ONE));

    assertThat(step(gone, ZERO)).isEqualTo(Step.PUBLISH);
    var killed = TABLE.on(gone, new GangEvent.HostLost(NOW, ZERO, FailureCause.LOST, "silent"));
    assertThat(TABLE.on(killed, new GangEvent.HostGone(NOW, ZERO)).phase())
        .isInstanceOf(GangPhase.Cleared.class);
  }

  @Test
  void agentRestartFailsTheRun() {
    assertThat(TABLE.on(GangSamples.run(), GangSamples.anew(ONE)).phase())
        .isInstanceOf(GangPhase.Kill.class);
    assertThat(TABLE.on(GangSamples.prepare(), GangSamples.anew(ONE)))
        .isEqualTo(GangSamples.prepare());
  }

  @Test
  void busyDeviceIsMachineFault() {
    var killed = TABLE.on(GangSamples.prepare(), GangSamples.trouble(ONE, true));

    assertThat(killed.bad()).extracting(GangMember::host).containsExactly(ONE);
    assertThat(((GangPhase.Kill) killed.phase()).fault().cause().budget())
        .isEqualTo(FailureCause.Budget.INFRASTRUCTURE);
  }

  @Test
  void missedDeadlineBlamesTheLateHosts() {
    var half = reported(GangSamples.prepare(), ZERO, GangMemberStage.PREPARED, 0);
    assertThat(bad(half)).containsExactly(ONE);
    assertThat(bad(GangSamples.settle())).as("too long by the user's own limit").isEmpty();
    assertThat(bad(GangSamples.publish())).containsExactly(ZERO);
    assertThat(bad(TABLE.on(GangSamples.kill(), GangSamples.clear(ONE)))).containsExactly(ZERO);
    assertThat(bad(GangSamples.run())).as("too long by the user's own limit").isEmpty();
    var startBy = ((GangPhase.Run) GangSamples.run().phase()).startBy();
    var late = TABLE.on(GangSamples.run(), new GangEvent.TimePassed(startBy));
    assertThat(late.bad()).extracting(GangMember::host).containsExactly(ZERO, ONE);
  }

  @Test
  void oldRunOrderAfterKillIsIgnored() {
    var order = GangSamples.run().order(ZERO).orElseThrow();
    var kill = GangSamples.kill().order(ZERO).orElseThrow();
    var host = GangMembership.NEW.on(GangSamples.prepare().order(ZERO).orElseThrow()).prepared();

    var killed = host.on(order).started().on(kill).killed();
    assertThat(killed.cleared()).isEqualTo(1);
    assertThat(killed.on(order)).isEqualTo(killed);
    assertThat(GangMembership.NEW.on(order).busy()).isEqualTo(GangMembership.Action.NONE);
  }

  @Test
  void contendingGangsClaimAllOrNothing() {
    var two = List.of(ZERO, ONE);
    var other = new dev.mayfly.core.model.LeaseRef("j2", 0, 1);

    var first = HostClaims.NONE.claim(GangSamples.LEASE, 2, two).orElseThrow();
    assertThat(first.claims().claim(other, 1, two)).isEmpty();
    assertThat(HostClaims.NONE.claim(other, 3, two)).isEmpty();
    assertThatThrownBy(() -> first.claims().release(GangSamples.kill()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(first.claims().release(GangSamples.cleared()).claim(other, 2, two)).isPresent();
  }

  private static Step step(GangRun run, HostId host) {
    return run.order(host).map(GangOrder::step).orElse(Step.NOTHING);
  }

  private static List<HostId> bad(GangRun run) {
    var late = TABLE.on(run, new GangEvent.TimePassed(LATER));
    assertThat(late.phase()).isInstanceOf(GangPhase.Kill.class);
    assertThat(Optional.of(late.phase())).isNotEqualTo(Optional.of(GangSamples.prepare().phase()));
    return late.bad().stream().map(GangMember::host).toList();
  }
}
