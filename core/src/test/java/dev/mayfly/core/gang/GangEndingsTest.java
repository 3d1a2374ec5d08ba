package dev.mayfly.core.gang;

import static dev.mayfly.core.gang.Samples.LIMITS;
import static dev.mayfly.core.gang.Samples.NOW;
import static dev.mayfly.core.gang.Samples.ONE;
import static dev.mayfly.core.gang.Samples.TABLE;
import static dev.mayfly.core.gang.Samples.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.GangFault;
import dev.mayfly.core.model.GangPhase;
import dev.mayfly.core.model.GangRun;
import dev.mayfly.core.model.GangStage;
import dev.mayfly.core.model.GangTimes;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.HostReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long hosts may take to end, and whose fault it is that a run ended. */
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

    assertThat(at(Samples.settle(), NOW.plus(settle).minusMillis(1))).isEqualTo(Samples.settle());
    assertThat(at(Samples.settle(), NOW.plus(settle)).phase()).isInstanceOf(GangPhase.Kill.class);
  }

  @Test
  void missingTheTimeToSettleIsTheUsersAndNoMachines() {
    var late = at(Samples.settle(), NOW.plus(LIMITS.settle()));

    assertThat(late.bad()).isEmpty();
    assertThat(fault(late).cause()).isEqualTo(Cause.TIMEOUT);
    assertThat(fault(late).cause().budget()).isEqualTo(Cause.Budget.FAILURES);
    assertThat(fault(late).reason())
        .isEqualTo("v4-a/1 still ran 1200 s after the first host's command had ended");
  }

  @Test
  void deadlineIsNotMissedByHostThatIsLost() {
    var late = at(Samples.settle(), NOW.plus(LIMITS.settle()));
    var lost = new GangEvent.HostLost(NOW, ONE, Cause.LOST, "silent");

    assertThat(fault(TABLE.on(late, lost)).cause()).isEqualTo(Cause.LOST);
    assertThat(fault(TABLE.on(late, lost)).reason()).contains("rank 1", "silent");
    var other = new GangEvent.HostLost(NOW, ZERO, Cause.LOST, "silent");
    assertThat(fault(TABLE.on(late, other)).cause()).isEqualTo(Cause.TIMEOUT);
    var unconfirmed = at(late, NOW.plus(LIMITS.settle()).plus(Duration.ofHours(1)));
    assertThat(fault(TABLE.on(unconfirmed, lost)).cause()).isEqualTo(Cause.TIMEOUT);
  }

  @Test
  void deadlineIsNotMissedByHostThatEndedUnheard() {
    var deadline = NOW.plus(LIMITS.settle());
    var late = at(Samples.settle(), deadline);

    var before = TABLE.on(late, ended(late, ONE, deadline.minusSeconds(1)));
    var after = TABLE.on(late, ended(late, ONE, deadline.plusSeconds(1)));
    var other = TABLE.on(late, ended(late, ZERO, deadline.minusSeconds(1)));

    assertThat(fault(before).cause()).isEqualTo(Cause.INFRASTRUCTURE);
    assertThat(fault(after).cause()).isEqualTo(Cause.TIMEOUT);
    assertThat(fault(other).cause()).isEqualTo(Cause.TIMEOUT);
  }

  /** A rank's confirmation of the kill, after its command ended with 0. */
  private static GangEvent ended(GangRun killed, HostId rank, Instant when) {
    var host =
        Membership.NEW
            .on(Samples.prepare().order(rank).orElseThrow())
            .prepared()
            .on(Samples.run().order(rank).orElseThrow())
            .began()
            .exited(0, when)
            .on(killed.order(rank).orElseThrow())
            .killed();
    var report = host.report(Samples.LEASE, rank, Samples.agent(rank), Samples.address(rank));
    return new GangEvent.Reported(when.plusSeconds(60), report);
  }

  @Test
  void settlingEndsWithTheJobsTimeout() {
    var begin = Samples.run();
    var deadline = ((GangPhase.Run) begin.phase()).deadline();
    var first =
        new GangEvent.Reported(
            deadline.minusSeconds(5), reported(Samples.report(ZERO, GangStage.EXITED, 0)));

    var settling = TABLE.on(begin, first);

    assertThat(((GangPhase.Settle) settling.phase()).deadline()).isEqualTo(deadline);
  }

  private static HostReport reported(GangEvent event) {
    return ((GangEvent.Reported) event).report();
  }

  @Test
  void killHasTheJobsGraceAndThreeMinutes() {
    var kill = (GangPhase.Kill) Samples.kill().phase();

    assertThat(kill.deadline()).isEqualTo(NOW.plus(LIMITS.grace()).plus(Duration.ofMinutes(3)));
  }

  @Test
  void preparationIsLongEnoughForThirtyGigabytes() {
    var slowest = Duration.ofSeconds(30_000_000_000L / 12_000_000);

    assertThat(GangTimes.DEFAULT.prepare().minusMinutes(3)).isGreaterThan(slowest);
  }

  @Test
  void troubleOfAnotherHostThanRankZeroStopsNoPublication() {
    var publish = Samples.publish();

    assertThat(TABLE.on(publish, Samples.trouble(ONE, true))).isEqualTo(publish);
    assertThat(TABLE.on(publish, Samples.anew(ONE))).isEqualTo(publish);
    for (var end :
        List.of(
            new GangEvent.HostLost(NOW, ONE, Cause.LOST, "silent"),
            new GangEvent.HostGone(NOW, ONE)))
      assertThat(TABLE.on(publish, end).phase()).isEqualTo(publish.phase());
    assertThat(TABLE.on(publish, Samples.trouble(ZERO, true)).phase())
        .isInstanceOf(GangPhase.Kill.class);
  }

  @Test
  void firstExitIsBlamedThoughAnotherWasToldFirst() {
    var told = TABLE.on(Samples.run(), Samples.failed(ONE, 1, 9, "connection reset by rank 0"));
    assertThat(fault(told).host()).contains(ONE);

    var both = TABLE.on(told, Samples.failed(ZERO, 3, 8, "out of memory in layer 7"));

    assertThat(fault(both).host()).contains(ZERO);
    assertThat(fault(both).exit()).isEqualTo(3);
    assertThat(fault(both).reason()).isEqualTo("v4-a/0 (rank 0): out of memory in layer 7");
    assertThat(TABLE.on(both, Samples.failed(ONE, 1, 9, "connection reset by rank 0")))
        .isEqualTo(both);
  }

  @Test
  void exitByASignalIsBlamedOnlyWhereThereIsNoOther() {
    var killed = TABLE.on(Samples.run(), Samples.failed(ONE, 137, 5, "killed"));
    assertThat(fault(killed).exit()).isEqualTo(137);

    var both = TABLE.on(killed, Samples.failed(ZERO, 1, 8, "a bug"));

    assertThat(fault(both).reason()).contains("a bug");
    assertThat(fault(TABLE.on(both, Samples.failed(ONE, 143, 2, "terminated"))).reason())
        .contains("a bug");
  }

  @Test
  void exitThatIsToldWithTheConfirmationCountsToo() {
    var killed = TABLE.on(Samples.run(), Samples.failed(ONE, 1, 9, "connection reset"));
    var host =
        Membership.NEW
            .on(Samples.prepare().order(ZERO).orElseThrow())
            .prepared()
            .on(Samples.run().order(ZERO).orElseThrow())
            .began()
            .exited(2, NOW.plusSeconds(8))
            .troubled(new HostReport.Trouble(Cause.USER, false, "a bug"))
            .on(killed.order(ZERO).orElseThrow())
            .killed();
    var report = host.report(Samples.LEASE, ZERO, Samples.agent(ZERO), Samples.address(ZERO));

    var known = TABLE.on(killed, new GangEvent.Reported(NOW, report));

    assertThat(fault(known).reason()).isEqualTo("v4-a/0 (rank 0): a bug");
    assertThat(
            known.failure((GangPhase.Cleared) TABLE.on(known, Samples.clear(ONE)).phase()).worker())
        .isEqualTo("v4-a");
  }

  @Test
  void lostMachineExplainsTheErrorsOfTheOthers() {
    var told = TABLE.on(Samples.run(), Samples.failed(ZERO, 1, 9, "connection reset by rank 1"));

    var lost = TABLE.on(told, new GangEvent.HostLost(NOW, ONE, Cause.PREEMPTED, "taken"));

    assertThat(fault(lost).cause()).isEqualTo(Cause.PREEMPTED);
    assertThat(fault(lost).reason())
        .isEqualTo("v4-a/1 (rank 1): taken; then v4-a/0 (rank 0): connection reset by rank 1");
  }

  @Test
  void machineLostAfterItsOwnExitExplainsNothing() {
    var told = TABLE.on(Samples.run(), Samples.failed(ONE, 1, 9, "a bug"));

    var lost = TABLE.on(told, new GangEvent.HostLost(NOW, ONE, Cause.LOST, "silent"));

    assertThat(fault(lost).cause()).isEqualTo(Cause.USER);
  }
}
