package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EstimateQueryTest {
  private final LabCluster lab = new LabCluster(1);

  private JobEstimate estimate() {
    return lab.controlPlane.statusQueries().estimate("lab", "j");
  }

  private static JobEstimate unknown(String why) {
    return JobEstimate.unknown(why);
  }

  /** Works at half a dollar an hour. */
  private ScriptedAgent worker() {
    var worker = lab.machine("w");
    worker.syncAndWait();
    lab.change("w", true, it -> it.withUsage(MachineUsage.from(Optional.of(0.5), lab.now())));
    return worker;
  }

  /** As an agent seals an output that took so long. */
  private void seal(String uid, long index, long seconds) {
    var output = "gs://lab/out/j/" + index;
    var sentinel =
        new Sentinel(
            uid,
            index,
            "s0e1",
            output,
            0,
            0,
            "",
            "w",
            lab.now(),
            Optional.of(lab.now().minusSeconds(seconds)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    lab.put(output + Sentinel.SUFFIX, "", sentinel.metadata());
  }

  @Test
  void unknownIsSaidWithItsReason() {
    lab.submit(LabCluster.count("j", 40));
    assertThat(estimate().text()).isEqualTo("unknown: none of its tasks runs now");
    assertThat(estimate().start().orElseThrow().text())
        .isEqualTo("unknown: no machine of pool cpu has booted yet to say how long it takes");
    worker();
    assertThat(estimate()).isEqualTo(unknown("none of its tasks has ended yet"));
    lab.stop("j");
    assertThat(estimate()).isEqualTo(unknown("its tasks do not run"));
  }

  @Test
  void limitThatStopsTheJobIsSaidFirst() {
    lab.submit(
        LabCluster.count("j", 40)
            .withAdmission(
                new AdmissionRules(
                    List.of(),
                    0,
                    Optional.of(Duration.ofMinutes(10)),
                    Optional.empty(),
                    Optional.of(0.01),
                    Optional.empty())));
    assertThat(estimate().text())
        .startsWith("unknown: none of its tasks runs now; it is stopped when its tasks cost $0.01")
        .endsWith("; it is stopped if no task starts within 10m (queueTimeout)");
    var worker = worker();
    for (var i = 0; i < 10; i++) seal(lab.job("j").uid(), i, 600);
    worker.complete(task -> task < 10);
    worker.syncAndWait();
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();

    assertThat(estimate().text())
        .startsWith("its maxUsd of $0.01")
        .contains("stops it before its end: in about ")
        .doesNotContain("queueTimeout");
  }

  @Test
  void endIsWhatTheOtherTasksTake() {
    lab.submit(LabCluster.count("j", 40));
    var worker = worker();
    for (var i = 0; i < 10; i++) seal(lab.job("j").uid(), i, 600);
    worker.complete(task -> task < 10);
    worker.syncAndWait();
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();
    var atOnce = lab.worker("w").held().stream().mapToLong(held -> held.atOnce()).sum();

    assertThat(estimate().text()).startsWith("in about ");
    var rest = estimate().rest().orElseThrow();

    // 30 tasks of ten minutes each, some at once, on a machine of half a dollar an hour.
    var waves = Duration.ofSeconds(600 * (30 + atOnce - 1) / atOnce);
    assertThat(rest.earliest()).isBetween(lab.now(), lab.now().plus(waves));
    assertThat(rest.latest())
        .isBetween(lab.now().plus(waves.dividedBy(2)), lab.now().plus(waves.multipliedBy(2)));
    assertThat(rest.earliest()).isBefore(rest.latest());
    var held = lab.worker("w").held();
    var part = lab.worker("w").parts().getFirst().share() / held.getFirst().atOnce();
    var usd = 30 * 600 / 3_600.0 * 0.5 * part;
    assertThat(rest.leastUsd().orElseThrow()).isBetween(usd / 2, usd * 1.1);
    assertThat(rest.mostUsd().orElseThrow()).isBetween(usd * 0.9, usd * 2);
    assertThat(estimate()).as("the same state has the same estimate").isEqualTo(estimate());
  }

  /** It has done step 120 of 1,000, at two seconds each, and none of its kind has ended. */
  @Test
  void oneTaskIsDoneWhenItsCountSays() {
    lab.submit(LabCluster.count("j", 1));
    var worker = worker();
    assertThat(estimate())
        .isEqualTo(
            unknown("none of its tasks has ended yet, and what they report is not read yet"));
    var values = Map.of("step", 120.0, "total_steps", 1_000.0);
    worker.metrics = List.of(new TaskMetrics(lab.job("j").uid(), 0, TaskProgress.among(values, 2)));
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();

    assertThat(estimate().text())
        .startsWith("in about ")
        .contains(" for $")
        .endsWith("if one task runs at once as now, by its own count: step 120 of 1,000");
    var rest = estimate().rest().orElseThrow();
    var left = Duration.ofSeconds(1_760);
    assertThat(rest.earliest()).isBetween(lab.now().plus(left.dividedBy(2)), lab.now().plus(left));
    assertThat(rest.latest()).isAfter(lab.now().plus(left));
  }

  /** It stood still since it was read, not since it was written. */
  @Test
  void oldCountIsSaidWithItsAge() {
    lab.submit(LabCluster.count("j", 1));
    var worker = worker();
    var values = Map.of("step", 120.0, "total_steps", 1_000.0);
    lab.time.advance(Duration.ofMinutes(4));
    var read = TaskMetrics.readAt(TaskProgress.among(values, 2), lab.now().minusSeconds(180));
    worker.metrics = List.of(new TaskMetrics(lab.job("j").uid(), 0, read));
    worker.syncAndWait();

    assertThat(estimate().text()).matches(".*by its own count: step 120 of 1,000, 3m1?0?s? ago");
    var left = Duration.ofSeconds(1_760 - 180);
    assertThat(estimate().rest().orElseThrow().earliest()).isBefore(lab.now().plus(left));
  }

  /** Its checkpoint of 40 seconds before the last count keeps 20 steps less. */
  @Test
  void attemptBeforeTellsWhereTheNextGoesOn() {
    lab.submit(LabCluster.count("j", 1));
    var lost = worker();
    var values = TaskProgress.among(Map.of("step", 120.0, "total_steps", 1_000.0), 2);
    lab.time.advance(Duration.ofMinutes(4));
    var read = lab.now();
    lost.metrics =
        List.of(new TaskMetrics(lab.job("j").uid(), 0, TaskMetrics.readAt(values, read)));
    lost.syncAndWait();
    lost.notice = Optional.of(lab.now());
    lost.endedKept(0, FailureCause.PREEMPTED, read.minusSeconds(40));
    lost.metrics = List.of();
    lost.release();
    lost.syncAndWait();
    var next = lab.machine("v");
    next.syncAndWait();

    assertThat(estimate().text())
        .contains(
            "by its own count: step 100 of 1,000, which its checkpoint keeps and after which it goes on, as fast as its attempt before");
    assertThat(estimate().rest().orElseThrow().earliest())
        .isBetween(lab.now().plusSeconds(900), lab.now().plusSeconds(1_800));
  }

  @Test
  void someThatCountTellOfTheOthers() {
    lab.submit(LabCluster.count("j", 8));
    var worker = worker();
    var uid = lab.job("j").uid();
    var values = TaskProgress.among(Map.of("epoch", 2.0, "epochs", 4.0), 60);
    worker.metrics = List.of(new TaskMetrics(uid, 0, values));
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();

    assertThat(estimate().text()).contains("by the count of one of them: epoch 2 of 4");
  }

  @Test
  void unknownPriceIsNoPrice() {
    lab.submit(LabCluster.count("j", 40));
    var worker = lab.machine("w");
    worker.syncAndWait();
    lab.change("w", true, it -> it.withUsage(MachineUsage.from(Optional.empty(), lab.now())));
    for (var i = 0; i < 10; i++) seal(lab.job("j").uid(), i, 600);
    worker.complete(task -> task < 10);
    worker.syncAndWait();
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();

    assertThat(estimate().rest().orElseThrow().leastUsd()).isEmpty();
  }

  /** A task on a machine whose clock was set back took less than nothing, and tells nothing. */
  @Test
  void clockThatWentBackTellsNoDuration() {
    lab.submit(LabCluster.count("j", 40));
    var worker = worker();
    for (var i = 0; i < 9; i++) seal(lab.job("j").uid(), i, 600);
    seal(lab.job("j").uid(), 9, -300);
    worker.complete(task -> task < 10);
    worker.syncAndWait();
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();

    assertThat(estimate().took().orElseThrow().seconds()).hasSize(9).containsOnly(600.0);
  }

  /** What an earlier job did says nothing of what tasks take now. */
  @Test
  void resultsOfEarlierJobsAreNoDurations() {
    for (var i = 0; i < 10; i++) seal("j0", i, 600);
    lab.submit(LabCluster.count("j", 40));
    worker();

    assertThat(estimate()).isEqualTo(unknown("none of its tasks has ended yet"));
  }

  /** A job of the same name tells what its tasks may take, before one of them has run. */
  @Test
  void earlierJobOfTheNameTellsOfWaitingOne() {
    lab.submit(LabCluster.count("j", 10));
    for (var i = 0; i < 10; i++) seal(lab.job("j").uid(), i, 600);
    var worker = worker();
    worker.finish();
    lab.controlPlane.handle(new Trigger.Tick());
    lab.deliver();
    assertThat(lab.end("j")).isEqualTo("SUCCEEDED: 10 done");
    assertThat(estimate().text()).isEqualTo("unknown: its tasks do not run");
    assertThat(estimate().took().orElseThrow().ended()).isEqualTo(10);

    lab.submit(LabCluster.count("j", 200));

    assertThat(estimate().text())
        .startsWith("in about ")
        .contains(
            " if it starts as said and takes ",
            "once its machines run",
            "each as the 10 tasks of job j of 2026-01-0");
    assertThat(estimate().forecast().orElseThrow().run().orElseThrow().leastSeconds())
        .isGreaterThan(600);

    lab.submit(LabCluster.count("k", 200));
    assertThat(lab.controlPlane.statusQueries().estimate("lab", "k").text())
        .as("a job of another name tells nothing")
        .isEqualTo("unknown: none of its tasks runs now");
  }

  /** What ended since the newest report is not told yet, and time goes on nevertheless. */
  @Test
  void estimateGoesDownBetweenReports() {
    lab.submit(LabCluster.count("j", 40));
    var worker = worker();
    for (var i = 0; i < 10; i++) seal(lab.job("j").uid(), i, 60);
    worker.complete(task -> task < 10);
    worker.syncAndWait();
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();
    var before = estimate().rest().orElseThrow();

    lab.time.advance(Duration.ofSeconds(90));

    assertThat(estimate().rest().orElseThrow().latest()).isBefore(before.latest().plusSeconds(30));
  }
}
