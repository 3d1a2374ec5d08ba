package dev.mayfly.core.lifecycle;

import static dev.mayfly.core.lifecycle.GangSamples.LIMITS;
import static dev.mayfly.core.lifecycle.GangSamples.NOW;
import static dev.mayfly.core.lifecycle.GangSamples.ONE;
import static dev.mayfly.core.lifecycle.GangSamples.TABLE;
import static dev.mayfly.core.lifecycle.GangSamples.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.gang.GangFault;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.worker.HostId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Time limits for hosts to end, and the attribution of a run's end. */
class GangEndingsTest {
  private static GangRun at(GangRun run, Instant when) {
    return TABLE.on(run, new GangEvent.TimePassed(when));
  }

  private static GangFault fault(GangRun run) {
    return switch (run.phase()) {
      case GangPhase.Kill kill -> kill.fault();
      case GangPhase.Cleared cleared -> cleared.fault();
      default -> throw new AssertionError(run.phase());
    };
  }

  @Test
  void lastHostHasTheTimeThatTheJobGives() {
    var settle = LIMITS.settle();

    assertThat(at(GangSamples.settle(), NOW.plus(settle).minusMillis(1)))
        .isEqualTo(GangSamples.settle());
    assertThat(at(GangSamples.settle(), NOW.plus(settle)).phase())
        .isInstanceOf(GangPhase.Kill.class);
  }

  private static GangRun kept(GangRun run, int second, boolean over) {
    var told =
        over ? GangSamples.clear(ZERO) : GangSamples.report(ZERO, GangMemberStage.RUNNING, 0);
    var report = ((GangEvent.Reported) told).report().keptUntil(NOW.plusSeconds(second));
    return TABLE.on(run, new GangEvent.Reported(NOW, report));
  }

  /** What rank 0's last checkpoint has is kept of the whole run; not each is a write. */
  @Test
  void failureKeepsWhatTheLastCheckpointHas() {
    var first = kept(GangSamples.run(), 10, false);
    assertThat(kept(first, 24, false)).isEqualTo(first);
    var second = kept(first, 25, false);
    assertThat(second).isNotEqualTo(first);
    var killed = GangSamples.reported(second, ONE, GangMemberStage.EXITED, 1);

    var ended = TABLE.on(kept(killed, 26, true), GangSamples.clear(ONE));

    assertThat(ended.failure((GangPhase.Cleared) ended.phase()).keptUntil())
        .contains(NOW.plusSeconds(26));
  }

  @Test
  void settleTimeoutIsUserFault() {
    var late = at(GangSamples.settle(), NOW.plus(LIMITS.settle()));

    assertThat(late.bad()).isEmpty();
    assertThat(fault(late).cause()).isEqualTo(FailureCause.TIMEOUT);
    assertThat(fault(late).cause().budget()).isEqualTo(FailureCause.Budget.FAILURES);
    assertThat(fault(late).reason())
        .isEqualTo("v4-a/1 still ran 1200 s after the first host's command had ended");
  }

  @Test
  void deadlineIsNotMissedByHostThatIsLost() {
    var late = at(GangSamples.settle(), NOW.plus(LIMITS.settle()));
    var lost = new GangEvent.HostLost(NOW, ONE, FailureCause.LOST, "silent");

    assertThat(fault(TABLE.on(late, lost)).cause()).isEqualTo(FailureCause.LOST);
    assertThat(fault(TABLE.on(late, lost)).reason()).contains("rank 1", "silent");
    var other = new GangEvent.HostLost(NOW, ZERO, FailureCause.LOST, "silent");
    assertThat(fault(TABLE.on(late, other)).cause()).isEqualTo(FailureCause.TIMEOUT);
  }

  /** Its command may have ended with the machine, before the limit, while nobody could be heard. */
  @Test
  void deadlineIsChargedOnlyWhereSomethingStillRan() {
    var late = at(GangSamples.settle(), NOW.plus(LIMITS.settle()));
    var heard = TABLE.on(late, GangSamples.killing(ONE, GangMemberStage.RUNNING));
    var sentBefore = TABLE.on(late, GangSamples.report(ONE, GangMemberStage.RUNNING, 0));
    var hourLater = NOW.plus(LIMITS.settle()).plus(Duration.ofHours(1));
    var lost =
        new GangEvent.HostLost(NOW, ONE, FailureCause.INFRASTRUCTURE, "did not confirm the kill");
    var gone = new GangEvent.HostGone(NOW, ONE);

    assertThat(fault(TABLE.on(at(heard, hourLater), lost)).cause()).isEqualTo(FailureCause.TIMEOUT);
    assertThat(fault(TABLE.on(heard, gone)).cause()).isEqualTo(FailureCause.TIMEOUT);
    assertThat(fault(TABLE.on(at(late, hourLater), lost)).cause())
        .isEqualTo(FailureCause.INFRASTRUCTURE);
    assertThat(fault(TABLE.on(at(sentBefore, hourLater), lost)).cause())
        .isEqualTo(FailureCause.INFRASTRUCTURE);
    assertThat(fault(TABLE.on(at(late, hourLater), lost)).reason())
        .isEqualTo(
            "v4-a/1 (rank 1): did not confirm the kill; it had not reported since before the time"
                + " limit");
    assertThat(fault(TABLE.on(late, gone)).cause()).isEqualTo(FailureCause.LOST);
  }

  @Test
  void lostReportIsNoMissedDeadline() {
    var deadline = NOW.plus(LIMITS.settle());
    var late = at(GangSamples.settle(), deadline);

    var before = TABLE.on(late, ended(late, ONE, deadline.minusSeconds(1)));
    var after = TABLE.on(late, ended(late, ONE, deadline.plusSeconds(1)));
    var other = TABLE.on(late, ended(late, ZERO, deadline.minusSeconds(1)));

    assertThat(fault(before).cause()).isEqualTo(FailureCause.INFRASTRUCTURE);
    assertThat(fault(after).cause()).isEqualTo(FailureCause.TIMEOUT);
    assertThat(fault(other).cause()).isEqualTo(FailureCause.TIMEOUT);
  }

  @Test
  void restartedAgentMissesNoDeadline() {
    var late = at(GangSamples.settle(), NOW.plus(LIMITS.settle()));

    assertThat(fault(TABLE.on(late, GangSamples.anew(ONE))).cause())
        .isEqualTo(FailureCause.INFRASTRUCTURE);
    // Its command had ended before.
    assertThat(fault(TABLE.on(late, GangSamples.anew(ZERO))).cause())
        .isEqualTo(FailureCause.TIMEOUT);
  }

  /** A rank's confirmation of the kill, after its command exited with 0. */
  private static GangEvent ended(GangRun killed, HostId rank, Instant when) {
    var host =
        GangMembership.NEW
            .on(GangSamples.prepare().order(rank).orElseThrow())
            .prepared()
            .on(GangSamples.run().order(rank).orElseThrow())
            .started()
            .exited(0, when)
            .on(killed.order(rank).orElseThrow())
            .killed();
    var report =
        host.report(
            GangSamples.LEASE,
            rank,
            GangSamples.agent(rank),
            GangSamples.address(rank),
            GangContact.NONE);
    return new GangEvent.Reported(when.plusSeconds(60), report);
  }

  @Test
  void settlingEndsWithTheJobsTimeout() {
    var begin = GangSamples.run();
    var deadline = ((GangPhase.Run) begin.phase()).deadline();
    var first =
        new GangEvent.Reported(
            deadline.minusSeconds(5),
            reported(GangSamples.report(ZERO, GangMemberStage.EXITED, 0)));

    var settling = TABLE.on(begin, first);

    assertThat(((GangPhase.Settle) settling.phase()).deadline()).isEqualTo(deadline);
  }

  private static GangReport reported(GangEvent event) {
    return ((GangEvent.Reported) event).report();
  }

  @Test
  void killHasTheJobsGraceAndThreeMinutes() {
    var kill = (GangPhase.Kill) GangSamples.kill().phase();

    assertThat(kill.deadline()).isEqualTo(NOW.plus(LIMITS.grace()).plus(Duration.ofMinutes(3)));
  }

  @Test
  void preparationIsLongEnoughForThirtyGigabytes() {
    var slowest = Duration.ofSeconds(30_000_000_000L / 12_000_000);

    assertThat(GangPhaseTimeouts.DEFAULT.prepare().minusMinutes(3)).isGreaterThan(slowest);
  }

  @Test
  void onlyRankZeroTroubleStopsPublication() {
    var publish = GangSamples.publish();

    assertThat(TABLE.on(publish, GangSamples.trouble(ONE, true))).isEqualTo(publish);
    assertThat(TABLE.on(publish, GangSamples.anew(ONE))).isEqualTo(publish);
    for (var end :
        List.of(
            new GangEvent.HostLost(NOW, ONE, FailureCause.LOST, "silent"),
            new GangEvent.HostGone(NOW, ONE)))
      assertThat(TABLE.on(publish, end).phase()).isEqualTo(publish.phase());
    assertThat(TABLE.on(publish, GangSamples.trouble(ZERO, true)).phase())
        .isInstanceOf(GangPhase.Kill.class);
  }

  @Test
  void firstExitIsBlamedDespiteReportOrder() {
    var afterReport =
        TABLE.on(GangSamples.run(), GangSamples.failed(ONE, 1, 9, "connection reset by rank 0"));
    assertThat(fault(afterReport).host()).contains(ONE);

    var both = TABLE.on(afterReport, GangSamples.failed(ZERO, 3, 8, "out of memory in layer 7"));

    assertThat(fault(both).host()).contains(ZERO);
    assertThat(fault(both).exit()).isEqualTo(3);
    assertThat(fault(both).reason()).isEqualTo("v4-a/0 (rank 0): out of memory in layer 7");
    assertThat(TABLE.on(both, GangSamples.failed(ONE, 1, 9, "connection reset by rank 0")))
        .isEqualTo(both);
  }

  @Test
  void signalExitIsBlamedLast() {
    var killed = TABLE.on(GangSamples.run(), GangSamples.failed(ONE, 137, 5, "killed"));
    assertThat(fault(killed).exit()).isEqualTo(137);

    var both = TABLE.on(killed, GangSamples.failed(ZERO, 1, 8, "a bug"));

    assertThat(fault(both).reason()).contains("a bug");
    assertThat(fault(TABLE.on(both, GangSamples.failed(ONE, 143, 2, "terminated"))).reason())
        .contains("a bug");
  }

  @Test
  void exitReportedWithConfirmationCounts() {
    var killed = TABLE.on(GangSamples.run(), GangSamples.failed(ONE, 1, 9, "connection reset"));
    var host =
        GangMembership.NEW
            .on(GangSamples.prepare().order(ZERO).orElseThrow())
            .prepared()
            .on(GangSamples.run().order(ZERO).orElseThrow())
            .started()
            .exited(2, NOW.plusSeconds(8))
            .failed(new GangReport.Trouble(FailureCause.USER, false, "a bug"))
            .on(killed.order(ZERO).orElseThrow())
            .killed();
    var report =
        host.report(
            GangSamples.LEASE,
            ZERO,
            GangSamples.agent(ZERO),
            GangSamples.address(ZERO),
            GangContact.NONE);

    var known = TABLE.on(killed, new GangEvent.Reported(NOW, report));

    assertThat(fault(known).reason()).isEqualTo("v4-a/0 (rank 0): a bug");
    assertThat(
            known
                .failure((GangPhase.Cleared) TABLE.on(known, GangSamples.clear(ONE)).phase())
                .worker())
        .isEqualTo("v4-a");
  }

  @Test
  void lostMachineExplainsTheErrorsOfTheOthers() {
    var first =
        TABLE.on(GangSamples.run(), GangSamples.failed(ZERO, 1, 9, "connection reset by rank 1"));

    var lost = TABLE.on(first, new GangEvent.HostLost(NOW, ONE, FailureCause.PREEMPTED, "taken"));

    assertThat(fault(lost).cause()).isEqualTo(FailureCause.PREEMPTED);
    assertThat(fault(lost).reason())
        .isEqualTo("v4-a/1 (rank 1): taken; then v4-a/0 (rank 0): connection reset by rank 1");
  }

  @Test
  void machineLostAfterItsOwnExitExplainsNothing() {
    var afterReport = TABLE.on(GangSamples.run(), GangSamples.failed(ONE, 1, 9, "a bug"));

    var lost = TABLE.on(afterReport, new GangEvent.HostLost(NOW, ONE, FailureCause.LOST, "silent"));

    assertThat(fault(lost).cause()).isEqualTo(FailureCause.USER);
  }
}
