package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.LedgerMeter;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a job is open, and what it refuses. */
class OpenJobEndTest extends OpenJobScene {
  @Test
  void usersSeeUntilWhenItIsOpen() {
    open();
    var queries = labCluster.controlPlane.statusQueries();
    assertThat(queries.job("lab", "j").openUntil())
        .contains(labCluster.job("j").acceptedAt().plus(Duration.ofHours(24)));
    assertThat(queries.explain("lab", "j").reasons())
        .anySatisfy(reason -> assertThat(reason.text()).contains("mayfly close j"));
    close(Optional.of(1L));
    assertThat(queries.job("lab", "j").openUntil()).isEmpty();
  }

  @Test
  void aStoppedJobTakesNoTasks() {
    open();
    add("a", "0.1");
    labCluster.stop("j");
    labCluster.deliver();
    var late = add("b", "0.2");

    assertThat(labCluster.end("j")).startsWith("STOPPED");
    assertThat(labCluster.refused(late).toString()).contains("stopping or has ended");
  }

  @Test
  void anIdleJobClosesItself() {
    open();
    add("a", "0.1");
    work();
    tick();
    labCluster.advance(3_500_000);
    tick();
    assertThat(labCluster.job("j").running()).isTrue();
    add("b", "0.2");
    work();
    labCluster.advance(200_000);
    tick();
    labCluster.advance(3_500_000);
    tick();
    assertThat(labCluster.job("j").running()).isTrue();
    labCluster.advance(200_000);
    tick();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 2 done");
  }

  @Test
  void aLongTaskIsNotIdle() {
    open();
    add("a", "0.1");
    labCluster.machine("w").syncAndWait();
    tick();
    labCluster.advance(3_700_000);
    tick();

    assertThat(labCluster.job("j").tasks().open().orElseThrow().closed()).isEmpty();
  }

  @Test
  void aJobIsOpenForItsTimeOnly() {
    open();
    add("a", "0.1");
    labCluster.advance(Duration.ofHours(24).toMillis());
    tick();
    assertThat(labCluster.refused(add("b", "0.2")).toString()).contains("its openFor of 24h");
    work();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 1 done");
  }

  @Test
  void aTaskWithoutItsVariablesIsRefused() {
    open();
    var nothing =
        new UserCommand.AddTasks(
            "lab",
            "j",
            Optional.empty(),
            List.of(new UserCommand.NewTask(Optional.empty(), Map.of())));

    assertThat(labCluster.refused(labCluster.publish(nothing)).toString())
        .contains("tasks[0].variables: lacks lr, which job j declares");
  }

  @Test
  void ordinaryAndUnknownJobsTakeNoTasks() {
    labCluster.submit(LabCluster.count("j", 1));
    assertThat(labCluster.refused(add("a", "0.1")).toString()).contains("job j is not open");
    assertThat(labCluster.refused(close(Optional.empty())).toString())
        .contains("job j is not open");
    var unknown = new UserCommand.CloseJob("lab", "none", Optional.empty());
    assertThat(labCluster.refused(labCluster.publishLate(unknown)).toString())
        .contains("there is no job none");
  }

  @Test
  void tasksDoneBeforeDoNotRun() {
    labCluster.put("gs://lab/out/0.COMPLETE");
    open();
    add("a", "0.1");

    assertThat(labCluster.open("j")).isZero();
    close(Optional.empty());
    labCluster.deliver();
    assertThat(labCluster.end("j")).startsWith("SUCCEEDED: 1 done");
  }

  @Test
  void aRetriedOpenJobRunsTheRest() {
    open();
    add("a", "0.1", "0.2");
    labCluster.stop("j");
    labCluster.deliver();
    labCluster.publish(new UserCommand.RetryJob("lab", "j"));
    assertThat(labCluster.job("j").state()).isInstanceOf(JobState.Running.class);
    work();
    close(Optional.empty());
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 2 done");
  }

  @Test
  void aTaskCostsFewOperations() {
    open();
    var meter = new LedgerMeter();
    var metered = labCluster.control("b", meter.wrap(labCluster.store), labCluster.codec);
    var worker = labCluster.machine("w");
    worker.desk = metered;
    worker.syncAndWait();
    var before = meter.operations();
    for (var i = 0; i < 50; i++) {
      metered.commandHandler().handle(labCluster.message(tasks("a" + i, "0.1")));
      for (var tries = 0; tries < 5 && labCluster.open("j") > 0; tries++) {
        if (worker.leases.isEmpty()) worker.syncAndWait();
        worker.finish();
      }
    }

    assertThat(labCluster.open("j")).isZero();
    assertThat(meter.operations().since(before).total() / 50).isLessThanOrEqualTo(30);
  }
}
