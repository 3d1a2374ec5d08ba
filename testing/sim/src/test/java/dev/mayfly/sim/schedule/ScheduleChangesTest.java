package dev.mayfly.sim.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserCommand.ChangeSchedule.Action;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What users command about schedules, and what is refused. It begins at 10:00 UTC. */
class ScheduleChangesTest {
  private final ScheduledLab lab = new ScheduledLab();
  private final LabCluster labCluster = lab.labCluster;

  @Test
  void messageOfScheduleStoresNoJobAndRepeatsNothing() {
    var message = lab.store("nightly", ScheduledLab.HOURLY);
    labCluster.controlPlane.commandHandler().handle(message);

    assertThat(lab.jobs()).isEmpty();
    assertThat(lab.events("nightly")).containsExactly("stored");
  }

  /** Its inputs come later; the time after tries again. */
  @Test
  void refusedJobIsToldAndTriedAgain() {
    var inputs = new TaskSource.Inputs("gs://lab/in/*.txt");
    labCluster.publish(
        ScheduledLab.of(
            LabCluster.spec("nightly", inputs, "gs://lab/out/{name}/{index}"),
            ScheduledLab.HOURLY));
    lab.tickAt("11:00");

    assertThat(lab.jobs()).isEmpty();
    assertThat(lab.seen("nightly").last())
        .hasValueSatisfying(last -> {
          assertThat(last.outcome()).isEqualTo("refused");
          assertThat(last.job()).isEqualTo("nightly-20260131-1100");
          assertThat(last.why().orElseThrow()).startsWith("tasks: ");
        });
    assertThat(lab.newest("nightly", "refused"))
        .startsWith("the one of 2026-01-31T11:00:00Z: tasks: ");
    lab.tickAt("11:05");
    assertThat(lab.events("nightly")).containsExactly("refused", "stored");

    labCluster.put("gs://lab/in/a.txt");
    lab.tickAt("12:00");

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1200");
  }

  @Test
  void impossibleScheduleIsRefusedAtOnce() {
    var elsewhere =
        LabCluster.count("nightly", 1)
            .withPlacement(
                LabCluster.count("nightly", 1).place().withLabels(Map.of("disk", "big")));

    var message = labCluster.publish(ScheduledLab.of(elsewhere, ScheduledLab.HOURLY));

    assertThat(labCluster.refused(message)).hasSize(1);
    assertThat(labCluster.cluster().schedules()).isEmpty();
  }

  @Test
  void takenNameIsToldAndNothingIsDoubled() {
    lab.store("nightly", ScheduledLab.HOURLY);
    labCluster.submit(LabCluster.count("nightly-20260131-1100", 2));
    lab.tickAt("11:00");

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1100");
    assertThat(lab.seen("nightly").last())
        .hasValueSatisfying(last -> {
          assertThat(last.outcome()).isEqualTo("refused");
          assertThat(last.why().orElseThrow())
              .contains("is live on cluster lab with other content");
        });
  }

  @Test
  void sameNameReplacesAndKeepsItsPast() {
    lab.store("nightly", ScheduledLab.HOURLY);
    lab.tickAt("11:00");
    labCluster.publish(
        ScheduledLab.of(LabCluster.count("nightly", 5), ScheduleRule.at("12:30", "UTC")));

    assertThat(lab.events("nightly")).containsExactly("replaced", "scheduled", "stored");
    assertThat(lab.seen("nightly").when()).isEqualTo("each day at 12:30 UTC");
    assertThat(lab.seen("nightly").last()).isPresent();
    lab.stopAll();
    lab.tickAt("12:00");
    lab.tickAt("12:30");

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1100", "nightly-20260131-1230");
    assertThat(labCluster.job("nightly-20260131-1230").tasks().count()).isEqualTo(5);
  }

  @Test
  void pausedScheduleSubmitsNothingUntilItIsResumed() {
    lab.store("nightly", ScheduledLab.HOURLY);
    lab.change("nightly", Action.PAUSE);
    lab.tickAt("12:30");
    assertThat(lab.jobs()).isEmpty();
    assertThat(lab.seen("nightly").state()).isEqualTo("paused");
    assertThat(lab.seen("nightly").next()).isEmpty();
    labCluster.publish(ScheduledLab.of(LabCluster.count("nightly", 1), ScheduledLab.HOURLY));
    assertThat(lab.seen("nightly").state()).isEqualTo("paused");

    lab.goTo("13:30");
    lab.change("nightly", Action.RESUME);
    lab.tick();

    assertThat(lab.jobs()).isEmpty();
    assertThat(lab.newest("nightly", "missed"))
        .isEqualTo(
            "1 time passed while it was paused, and is not made up; mayfly schedule run nightly runs it now");
    assertThat(lab.seen("nightly").next()).contains(ScheduledLab.at("14:00"));
    lab.tickAt("14:00");
    assertThat(lab.jobs()).containsExactly("nightly-20260131-1400");
  }

  @Test
  void deletedScheduleStaysDeletedWhenItsMessageComesAgain() {
    var message = lab.store("nightly", ScheduledLab.HOURLY);
    lab.change("nightly", Action.DELETE);
    labCluster.controlPlane.commandHandler().handle(message);
    lab.tickAt("11:00");

    assertThat(lab.jobs()).isEmpty();
    assertThat(labCluster.controlPlane.statusQueries().cluster("lab").schedules()).isEmpty();
    assertThat(labCluster.refused(lab.change("nightly", Action.PAUSE)))
        .singleElement()
        .asString()
        .contains("cluster lab has no schedule nightly; it has none");

    lab.store("nightly", ScheduledLab.HOURLY);
    lab.tickAt("12:00");
    assertThat(lab.jobs()).containsExactly("nightly-20260131-1200");
  }

  @Test
  void personRunsItBesidesItsTimesOnce() {
    lab.store("nightly", ScheduleRule.at("18:00", "UTC"));
    lab.goTo("10:20");
    var message = lab.change("nightly", Action.RUN);
    labCluster.controlPlane.commandHandler().handle(message);

    assertThat(lab.jobs()).containsExactly("nightly-20260131-1020");
    assertThat(lab.seen("nightly").next()).contains(ScheduledLab.at("18:00"));
    assertThat(labCluster.refused(lab.change("nightly", Action.RUN)))
        .singleElement()
        .asString()
        .contains(
            "job nightly-20260131-1020 has not ended, and schedule nightly has one job at a time");
  }

  @Test
  void runThatIsOlderThanTheScheduleIsRefused() {
    var run = labCluster.message(new UserCommand.ChangeSchedule("lab", "nightly", Action.RUN));
    lab.store("nightly", ScheduledLab.HOURLY);
    labCluster.controlPlane.commandHandler().handle(run);

    assertThat(lab.jobs()).isEmpty();
    assertThat(labCluster.refused(run))
        .singleElement()
        .asString()
        .contains("schedule nightly was changed after this was published; publish it again");
  }

  @Test
  void nameAloneMeansTheOnlyOwners() {
    lab.store("ann/nightly", ScheduledLab.HOURLY);
    lab.change("nightly", Action.PAUSE);
    assertThat(lab.seen("ann/nightly").state()).isEqualTo("paused");

    lab.store("bob/nightly", ScheduledLab.HOURLY);
    assertThat(labCluster.refused(lab.change("nightly", Action.RESUME)))
        .singleElement()
        .asString()
        .contains("several owners have a schedule nightly; write one of ann/nightly, bob/nightly");
  }

  @Test
  void clusterThatGoesSubmitsNothing() {
    lab.store("nightly", ScheduledLab.HOURLY);
    assertThat(seen()).hasSize(1);
    labCluster.publish(new UserCommand.DownCluster("lab"));

    assertThat(seen()).as("none is promised").isEmpty();
    lab.tickAt("11:00");
    assertThat(lab.jobs()).isEmpty();
    assertThat(seen()).isEmpty();
  }

  private List<ScheduleStatus> seen() {
    return labCluster.controlPlane.statusQueries().cluster("lab").schedules();
  }
}
