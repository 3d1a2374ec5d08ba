package dev.mayfly.sim.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Schedule;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand.ChangeSchedule.Action;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What schedules do at their times, and what people see of it. It begins at 10:00 UTC. */
class SchedulesTest {
  private final ScheduledLab lab = new ScheduledLab();
  private final LabCluster labCluster = lab.labCluster;

  @Test
  void scheduleSubmitsOneJobAtEachTime() {
    lab.store("nightly", ScheduledLab.HOURLY);
    lab.tick();
    assertThat(lab.jobs()).isEmpty();
    assertThat(lab.seen("nightly").next()).contains(ScheduledLab.at("11:00"));

    lab.tickAt("11:00");
    lab.tickAt("11:01");
    lab.stopAll();
    lab.tickAt("12:00");

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1100", "nightly-20260131-1200");
    assertThat(labCluster.job("nightly-20260131-1100").spec().admission().schedule())
        .contains("nightly");
    assertThat(lab.seen("nightly").next()).contains(ScheduledLab.at("13:00"));
    assertThat(lab.seen("nightly").last())
        .hasValueSatisfying(last -> {
          assertThat(last.outcome()).isEqualTo("submitted");
          assertThat(last.job()).isEqualTo("nightly-20260131-1200");
          assertThat(last.state()).contains("running");
        });
    assertThat(lab.events("nightly")).containsExactly("scheduled", "scheduled", "stored");
  }

  @Test
  void jobAndScheduleAreStoredInOneCommit() {
    lab.store("nightly", ScheduledLab.HOURLY);
    labCluster.ledger.unknown(SchedulesTest::storesJob);
    lab.tickAt("11:00");
    labCluster.ledger.unknown(_ -> false);
    lab.tickAt("11:01");

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1100");
    assertThat(lab.seen("nightly").next()).contains(ScheduledLab.at("12:00"));
    assertThat(lab.events("nightly")).containsExactly("scheduled", "stored");
  }

  private static boolean storesJob(List<LedgerWrite> ledgerWrites) {
    return ledgerWrites.stream()
        .anyMatch(w -> w instanceof LedgerWrite.Create c && c.document() instanceof Job);
  }

  private static boolean storesSchedule(List<LedgerWrite> ledgerWrites) {
    return ledgerWrites.stream()
        .anyMatch(w -> w instanceof LedgerWrite.Update u && u.document() instanceof Schedule);
  }

  @Test
  void twoCallsAtOnceSubmitOneJob() {
    lab.store("nightly", ScheduledLab.HOURLY);
    var other = labCluster.control("b");
    labCluster.ledger.before(SchedulesTest::storesSchedule, () -> runs(other));
    lab.tickAt("11:00");
    lab.tickAt("11:01");

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1100");
    assertThat(lab.events("nightly")).containsExactly("scheduled", "stored");
    assertThat(lab.seen("nightly").next()).contains(ScheduledLab.at("12:00"));
  }

  private void runs(ControlPlane other) {
    other.handle(new Trigger.RunSchedules(labCluster.uid));
  }

  /** The cluster's line is written last, and nothing of a process is kept. */
  @Test
  void newProcessGoesOn() {
    lab.store("nightly", ScheduledLab.HOURLY);
    lab.tickAt("11:00");
    lab.stopAll();
    lab.goTo("12:00");
    var other = labCluster.control("b");
    runs(other);
    runs(labCluster.controlPlane);

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1100", "nightly-20260131-1200");
    assertThat(labCluster.cluster().hasDue(ScheduledLab.at("12:59"))).isFalse();
    assertThat(labCluster.cluster().hasDue(ScheduledLab.at("13:00"))).isTrue();
  }

  @Test
  void missedTimesGiveOneJobAndAreCounted() {
    lab.store("nightly", ScheduledLab.HOURLY);

    lab.tickAt("14:30");

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1400");
    assertThat(lab.seen("nightly").missed()).isEqualTo(3);
    assertThat(lab.newest("nightly", "missed"))
        .isEqualTo(
            "3 times before 2026-01-31T14:00:00Z passed while nobody looked; only the newest counts");
  }

  @Test
  void timeIsSkippedWhileTheJobBeforeRuns() {
    lab.store("nightly", ScheduledLab.HOURLY);
    lab.tickAt("11:00");
    lab.tickAt("12:00");

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1100");
    assertThat(lab.seen("nightly").last())
        .hasValueSatisfying(last -> {
          assertThat(last.outcome()).isEqualTo("skipped");
          assertThat(last.why()).contains("job nightly-20260131-1100 has not ended");
        });

    lab.tickAt("13:00");
    lab.stopAll();
    lab.tickAt("14:00");

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1100", "nightly-20260131-1400");
    assertThat(lab.events("nightly"))
        .containsExactly("scheduled", "skipped", "skipped", "scheduled", "stored");
  }

  @Test
  void queuedJobStartsAfterTheOneBefore() {
    lab.store("nightly", ScheduledLab.HOURLY.queued());
    lab.tickAt("11:00");
    lab.tickAt("12:00");

    assertThat(lab.seen("nightly").last())
        .hasValueSatisfying(last -> assertThat(last.state()).contains("waiting"));

    labCluster.stop("nightly-20260131-1100");
    labCluster.deliver();
    lab.tickAt("12:01");

    assertThat(lab.seen("nightly").last())
        .hasValueSatisfying(last -> assertThat(last.state()).contains("running"));
  }

  @Test
  void ticksRunFromThreeHoursBefore() {
    lab.store("nightly", ScheduleRule.at("14:00", "UTC"));
    lab.tick();
    assertThat(labCluster.schedule.paused()).isTrue();

    lab.goTo("10:59");
    labCluster.controlPlane.handle(new Trigger.CollectOrphans());
    assertThat(labCluster.schedule.paused()).isTrue();
    lab.goTo("11:59");
    labCluster.controlPlane.handle(new Trigger.CollectOrphans());
    assertThat(labCluster.schedule.paused()).isFalse();

    lab.tickAt("12:00");
    assertThat(labCluster.schedule.paused()).isFalse();
    lab.tickAt("14:00");
    assertThat(lab.jobs()).containsExactly("nightly-20260131-1400");
  }

  @Test
  void pausedScheduleKeepsNoTicks() {
    lab.store("nightly", ScheduledLab.HOURLY);
    lab.tick();
    assertThat(labCluster.schedule.paused()).isFalse();

    lab.change("nightly", Action.PAUSE);
    lab.tick();
    assertThat(labCluster.schedule.paused()).isTrue();
  }

  @Test
  void tickReadsNoScheduleThatIsNotDue() {
    for (var i = 0; i < 50; i++) lab.store("s" + i, ScheduleRule.at("12:00", "UTC"));
    lab.tick();
    var before = labCluster.ledger.reads;
    lab.tick();

    assertThat(labCluster.ledger.reads - before).isLessThan(30);
  }
}
