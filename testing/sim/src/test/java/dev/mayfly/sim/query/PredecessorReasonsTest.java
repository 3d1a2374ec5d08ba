package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.query.estimate.JobStart;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What explain says of a job that waits for others. */
class PredecessorReasonsTest {
  private static final Predecessor.On SUCCESS = Predecessor.On.SUCCESS;
  private static final Predecessor.On END = Predecessor.On.END;

  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  @Test
  void explainNamesWhatIsWaitedFor() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(
        JobChains.successor(
            "second", JobChains.after("first", SUCCESS), JobChains.after("later", END)));
    labCluster.machine("w").syncAndWait();

    var explanation = labCluster.controlPlane.statusQueries().explain("lab", "second");

    assertThat(explanation.reasons())
        .extracting(r -> r.kind() + ": " + r.text())
        .anyMatch(r ->
            r.matches(
                "after: it starts when job first \\(.*\\), which is running now, has succeeded"))
        .anyMatch(r -> r.contains("job later has not arrived yet"));
    assertThat(labCluster.controlPlane.statusQueries().job("lab", "second").reason())
        .contains("after first, later (on any end)");
  }

  @Test
  void explainSaysWhyThePredecessorWaits() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    var queries = labCluster.controlPlane.statusQueries();
    var why = queries.explain("lab", "first").reasons().getFirst().text();

    assertThat(queries.explain("lab", "second").reasons())
        .singleElement()
        .satisfies(reason ->
            assertThat(reason.text())
                .contains("which runs no task now, has succeeded")
                .endsWith("; job first waits itself: " + why));
  }

  @Test
  void explainSaysWhatStartsItAfterFailures() {
    chains.submit(LabCluster.count("first", 40));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    chains.submit(JobChains.successor("third", JobChains.after("first", END)));
    var worker = labCluster.machine("w");
    for (var i = 0; i < 3; i++) {
      worker.syncAndWait();
      worker.failed(0);
      worker.release();
      worker.syncAndWait();
    }

    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "second").reasons())
        .singleElement()
        .satisfies(reason ->
            assertThat(reason.text())
                .endsWith(
                    "has succeeded; 1 task of it failed for good, so that this one will not start"
                        + " unless mayfly retry first comes before its end; with after: [{job:"
                        + " first, on: end}] it starts then too"));
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "second").remedy())
        .hasValueSatisfying(it -> assertThat(it).startsWith("mayfly retry first before it ends"));
    assertThat(start("second").spread()).isEmpty();
    assertThat(start("second").text())
        .isEqualTo(
            "never, as it stands: 1 task of job first failed for good, and it starts once that has succeeded");
    assertThat(start("third").text()).doesNotContain("never");
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "third").reasons())
        .singleElement()
        .satisfies(reason -> assertThat(reason.text()).endsWith("has ended"));
  }

  @Test
  void explainHasNameOfPredecessorByUid() {
    chains.submit(LabCluster.count("first", 1));
    var uid = labCluster.job("first").uid();
    chains.submit(
        JobChains.successor("second", JobChains.after(uid, SUCCESS).withUid(Optional.of(uid))));

    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "second").reasons())
        .singleElement()
        .satisfies(reason ->
            assertThat(reason.text()).startsWith("it starts when job first (" + uid + ")"));
  }

  private JobStart start(String job) {
    return labCluster.controlPlane.statusQueries().estimate("lab", job).start().orElseThrow();
  }
}
