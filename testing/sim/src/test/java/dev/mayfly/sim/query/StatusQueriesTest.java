package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusQueriesTest {
  private final LabCluster labCluster = new LabCluster(1);

  @Test
  void waitingJobExplainsFullWorker() {
    labCluster.submit(LabCluster.count("one", 1));
    labCluster.submit(LabCluster.count("two", 1));
    labCluster.machine("w").syncAndWait();
    labCluster.submit(LabCluster.count("three", 1));

    var why = labCluster.controlPlane.statusQueries().explain("lab", "three");
    assertThat(why.summary()).startsWith("0 of 1 task done");
    assertThat(why.queue()).as("jobs that wait").isEmpty();
    assertThat(why.reasons())
        .anySatisfy(r -> {
          assertThat(r.kind()).isEqualTo("room");
          assertThat(r.text()).contains("worker w has 0 CPU", "one 1 CPU", "two 1 CPU");
        });
    assertThat(why.reasons()).extracting(r -> r.kind()).startsWith("max", "room");
  }

  @Test
  void explainShowsSharesAndUnmetPlacement() {
    labCluster.submit(owned(LabCluster.count("one", 1), "ada", Placement.ANYWHERE));
    labCluster.submit(owned(LabCluster.count("uno", 1), "ada", Placement.ANYWHERE));
    labCluster.machine("w").syncAndWait();
    labCluster.submit(owned(LabCluster.count("two", 1), "bob", Placement.ANYWHERE));
    labCluster.submit(owned(LabCluster.count("old", 1), "bob", worker("w-old")));

    assertThat(reasons("two"))
        .contains(
            "share: owners of priority 50 take turns, the one with the fewest running tasks first: ada 2, bob 0");
    assertThat(reasons("old"))
        .containsExactly(
            "unknown-worker: it may run on worker w-old, which is not there; submit it without workers to let it run on others");
  }

  /** What a machine has next runs not yet, and is no use of it. */
  @Test
  void ownersRunWhatRunsAndNotWhatIsNext() {
    labCluster.submit(owned(LabCluster.count("now", 2), "ada", Placement.ANYWHERE));
    var w = labCluster.machine("w");
    w.syncAndWait();
    labCluster.submit(owned(LabCluster.count("next", 2), "ada", Placement.ANYWHERE));
    w.prefetch = Map.of(labCluster.job("ada/next").uid(), 2L);
    w.syncAndWait();
    labCluster.submit(owned(LabCluster.count("two", 1), "bob", Placement.ANYWHERE));
    labCluster.advance(5_000);
    labCluster.controlPlane.handle(new Trigger.Tick());

    assertThat(labCluster.worker("w").held()).hasSize(2);
    assertThat(
            labCluster.controlPlane.statusQueries().cluster("lab").sharing().orElseThrow().text())
        .startsWith("ada: 1 of 2 shares, 2 running tasks; bob: 1 of 2 shares, 0 running tasks");
  }

  private List<String> reasons(String job) {
    return labCluster.controlPlane.statusQueries().explain("lab", job).reasons().stream()
        .map(r -> r.kind() + ": " + r.text())
        .toList();
  }

  private static JobSpec owned(JobSpec s, String owner, Placement placement) {
    return new JobSpec(
        s.name(),
        s.cluster(),
        Optional.of(owner),
        s.tasks(),
        s.data(),
        s.run(),
        s.resources(),
        s.retries(),
        s.priority(),
        placement,
        s.exclusive(),
        s.gang(),
        s.anyRegion(),
        s.settle(),
        Optional.empty());
  }

  @Test
  void unfitWorkersAreTheCause() {
    labCluster.machine("w").syncAndWait();
    labCluster.change(
        "w",
        false,
        x -> x.withProblem(Optional.of(MachineProblem.Kind.UNFIT.of("no nvidia-smi; no driver?"))));
    labCluster.submit(LabCluster.count("j", 1));

    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .extracting(r -> r.kind() + ": " + r.text())
        .startsWith("unfit: worker w takes no tasks: no nvidia-smi; no driver?");
    assertThat(labCluster.controlPlane.statusQueries().workers("lab", false).getFirst().state())
        .isEqualTo("unfit");
    assertThat(labCluster.controlPlane.statusQueries().cluster("lab").workers())
        .isEqualTo(Map.of("unfit", 1));
    assertThat(labCluster.controlPlane.statusQueries().jobs("lab", 5).getFirst().reason())
        .hasValueSatisfying(why -> assertThat(why).startsWith("unfit: worker w takes no tasks"));
  }

  @Test
  void turnReasonNamesOnlyJobsOfSamePools() {
    labCluster.submit(owned(LabCluster.count("gpus", 1), "ada", Placement.inPools(List.of("gpu"))));
    labCluster.submit(owned(LabCluster.count("pinned", 1), "ada", worker("w-old")));
    labCluster.submit(owned(LabCluster.count("before", 3), "ada", Placement.ANYWHERE));
    labCluster.machine("w-new");
    labCluster.submit(owned(LabCluster.count("mine", 1), "ada", worker("w-new")));

    var why = labCluster.controlPlane.statusQueries().explain("lab", "mine");
    assertThat(why.queue()).containsExactly("before");
    assertThat(why.reasons())
        .extracting(r -> r.kind())
        .startsWith("pinned", "turn")
        .doesNotContain("max", "stockout");
  }

  private static Placement worker(String name) {
    return new Placement(List.of(), List.of(), List.of(name));
  }

  @Test
  void eventsAreOfThisJobAlone() {
    labCluster.submit(LabCluster.count("j", 1));
    var first = labCluster.job("j").uid();
    labCluster.stop("j");
    labCluster.deliver();
    labCluster.advance(60_000);
    labCluster.submit(LabCluster.count("j", 2));

    var eventRecords = labCluster.controlPlane.statusQueries().explain("lab", "j").events();
    assertThat(eventRecords).extracting(e -> e.what()).containsExactly("received", "accepted");
    assertThat(eventRecords.getLast().why()).startsWith("2 tasks");
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", first).events())
        .extracting(e -> e.what())
        .contains("accepted", "stopped")
        .hasSizeGreaterThan(1);
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", first).events())
        .noneMatch(e -> e.why().startsWith("2 tasks"));
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", first).summary())
        .startsWith("stopped 60s ago, 0s after it was accepted, and never began: ");
  }

  @Test
  void succeededJobIsNotFailing() {
    labCluster.submit(LabCluster.count("j", 1));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.failed(0);
    w.release();
    w.syncAndWait();
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .anySatisfy(r -> assertThat(r.text()).startsWith("1 attempt ended: user error"));

    w.complete(task -> true);
    labCluster.put("gs://lab/out/j/0.COMPLETE");
    w.release();
    w.syncAndWait();
    labCluster.deliver();
    assertThat(labCluster.end("j")).startsWith("SUCCEEDED");
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons()).isEmpty();
  }

  @Test
  void jobStatusShowsFailures() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.failed(1);
    w.release();
    w.syncAndWait();

    var view = labCluster.controlPlane.statusQueries().job("lab", "j");
    assertThat(view.state()).isEqualTo("running");
    assertThat(view.attempts()).containsEntry(FailureCause.USER, 1L);
    assertThat(view.failures()).singleElement().satisfies(f -> assertThat(f.index()).isEqualTo(1));
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .anyMatch(r ->
            r.kind().equals("repeated")
                && r.text().startsWith("1 attempt ended: user error, exit code")
                && r.text().endsWith("; its task runs again"));
  }

  @Test
  void allTasksFailingAlikeAreACrashLoop() {
    labCluster.submit(LabCluster.count("j", 4));
    var w = labCluster.machine("w");
    w.syncAndWait();
    w.failed(0);
    w.failed(1);
    w.release();
    w.syncAndWait();
    assertThat(kinds("j")).contains("repeated").doesNotContain("crash-loop");

    w.failed(2);
    w.failed(3);
    w.release();
    w.syncAndWait();
    assertThat(labCluster.controlPlane.statusQueries().explain("lab", "j").reasons())
        .filteredOn(r -> r.kind().equals("crash-loop"))
        .singleElement()
        .satisfies(r ->
            assertThat(r.text())
                .startsWith("no task has succeeded, and 4 attempts of 4 tasks on 1 worker all"));

    w.complete(task -> task == 3);
    w.release();
    w.syncAndWait();
    assertThat(kinds("j")).doesNotContain("crash-loop");
  }

  @Test
  void endedJobLoopsNoMore() {
    labCluster.submit(LabCluster.count("j", 3));
    var w = labCluster.machine("w");
    for (var attempt = 0; attempt < 6; attempt++) {
      w.syncAndWait();
      for (var task = 0; task < 3; task++) w.failed(task);
      w.release();
    }
    w.syncAndWait();
    labCluster.deliver();

    assertThat(labCluster.job("j").running()).isFalse();
    assertThat(kinds("j")).contains("failing").doesNotContain("crash-loop");
  }

  private List<String> kinds(String job) {
    return labCluster.controlPlane.statusQueries().explain("lab", job).reasons().stream()
        .map(JobExplanation.Reason::kind)
        .toList();
  }

  @Test
  void unknownNameListsKnownNames() {
    labCluster.submit(LabCluster.count("mine", 1));
    assertThatThrownBy(() -> labCluster.controlPlane.statusQueries().job("lab", "yours"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("mine");
    assertThatThrownBy(() -> labCluster.controlPlane.statusQueries().cluster("attic"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("lab");
  }
}
