package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.estimate.JobStart;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When a job that waits may start, as the read API says it. */
class StartQueryTest {
  private final LabCluster lab = new LabCluster(1);

  private JobEstimate estimate(String job) {
    return lab.controlPlane.statusQueries().estimate("lab", job);
  }

  private JobStart start(String job) {
    return estimate(job).start().orElseThrow();
  }

  /** As an agent seals an output that took ten minutes. */
  private void seal(String job, long index) {
    var output = "gs://lab/out/" + job + "/" + index;
    var sentinel =
        new Sentinel(
            lab.job(job).uid(),
            index,
            "s0e1",
            output,
            0,
            0,
            "",
            "w",
            lab.now(),
            Optional.of(lab.now().minusSeconds(600)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    lab.put(output + Sentinel.SUFFIX, "", sentinel.metadata());
  }

  /** Job {@code j} has the only machine, and ten of its forty tasks are done. */
  private ScriptedAgent busy() {
    lab.submit(LabCluster.count("j", 40));
    var worker = lab.machine("w");
    worker.syncAndWait();
    for (var i = 0; i < 10; i++) seal("j", i);
    worker.complete(task -> task < 10);
    worker.syncAndWait();
    lab.time.advance(Duration.ofMinutes(2));
    worker.syncAndWait();
    return worker;
  }

  @Test
  void jobBehindAnotherStartsOnceThatHasBegun() {
    busy();
    lab.submit(LabCluster.count("k", 5));

    var start = start("k");
    var end = estimate("j").rest().orElseThrow();

    assertThat(start.text()).contains("tasks of job j take what those took that ended");
    assertThat(start.spread().orElseThrow().latest())
        .isBetween(lab.now().plusSeconds(600), end.latest().plus(Duration.ofHours(4)));
    assertThat(estimate("k")).as("the same state has the same estimate").isEqualTo(estimate("k"));
    assertThat(estimate("j").start()).as("it runs").isEmpty();
  }

  @Test
  void machineOnItsWayBootsAsOthersDid() {
    var before = lab.machine("w");
    lab.time.advance(Duration.ofMinutes(4));
    before.syncAndWait();
    lab.change("w", true, it -> it.with(new WorkerState.Gone(lab.now(), "idle")));
    lab.submit(LabCluster.count("j", 40));
    lab.machine("x");

    var start = start("j");

    assertThat(start.text()).contains("machines that come boot as 1 other before");
    assertThat(start.spread().orElseThrow().earliest()).isAfter(lab.now().plusSeconds(60));
    assertThat(start.spread().orElseThrow().latest()).isBefore(lab.now().plusSeconds(900));
  }

  @Test
  void unknownDurationsAreSaid() {
    lab.submit(LabCluster.count("j", 40));
    lab.machine("w").syncAndWait();
    lab.submit(LabCluster.count("k", 5));

    assertThat(start("k").text())
        .isEqualTo("unknown: it waits for tasks of job j, of which none has ended yet");
  }

  @Test
  void successorStartsAfterTheEndOfItsPredecessor() {
    busy();
    lab.submit(after("k", "j"));

    var start = start("k");
    var end = estimate("j").rest().orElseThrow();

    assertThat(start.spread().orElseThrow().earliest()).isEqualTo(end.earliest());
    assertThat(start.spread().orElseThrow().latest()).isAfterOrEqualTo(end.latest());
    assertThat(start.text()).contains("after the end of job j");
  }

  @Test
  void successorOfAJobWithoutAnEndHasNone() {
    lab.submit(LabCluster.count("j", 40));
    lab.submit(after("k", "j"));

    assertThat(start("k").text())
        .isEqualTo(
            "unknown: it waits for the end of job j, which is unknown: none of its tasks runs now");
  }

  /** What has no end in sight is named before what will have one. */
  @Test
  void successorNamesTheOneThatWaitsItself() {
    lab.submit(LabCluster.count("runs", 40));
    lab.machine("w").syncAndWait();
    lab.submit(LabCluster.count("waits", 1));
    lab.submit(after("k", "runs", "waits"));

    assertThat(start("k").text())
        .startsWith("unknown: it waits for the end of job waits, which is unknown");
  }

  @Test
  void jobsThatWaitForEachOtherHaveNoStart() {
    lab.submit(LabCluster.count("other", 1));
    lab.submit(after("j", "other"));
    lab.submit(after("k", "j"));
    var first = lab.store.read(lab.job("j").key()).orElseThrow();
    var uid = Optional.of(lab.job("k").uid());
    var awaited = new Predecessor("k", uid, Predecessor.On.SUCCESS);
    var spec = first.value().spec().withAdmission(new AdmissionRules(List.of(awaited)));
    var turned = new LedgerWrite.Update(first.value().withSpec(spec), first.version());
    lab.store.commit(List.of(turned));

    assertThat(start("j").spread()).isEmpty();
    assertThat(start("k").text()).startsWith("unknown: it waits for the end of job j, which is");
  }

  private static JobSpec after(String job, String... before) {
    var predecessors =
        Stream.of(before)
            .map(it -> new Predecessor(it, Optional.empty(), Predecessor.On.SUCCESS))
            .toList();
    return LabCluster.count(job, 5)
        .withAdmission(
            new AdmissionRules(
                predecessors,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }
}
