package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.PredecessorStatus;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The jobs before a job, in its status. */
class PredecessorViewTest {
  private static final Predecessor.On SUCCESS = Predecessor.On.SUCCESS;
  private static final Predecessor.On END = Predecessor.On.END;

  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  private StatusQueries queries() {
    return labCluster.controlPlane.statusQueries();
  }

  private JobStatus job(String name) {
    return queries().job("lab", name);
  }

  private PredecessorStatus status(String name, Predecessor.On on, String state) {
    var uid = Optional.of(labCluster.job(name).uid());
    return new PredecessorStatus(name, uid, on, Optional.of(state));
  }

  @Test
  void statusFollowsItsPredecessors() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(
        JobChains.successor(
            "second", JobChains.after("first", SUCCESS), JobChains.after("later", END)));

    var unknown = new PredecessorStatus("later", Optional.empty(), END, Optional.empty());
    assertThat(job("second").after()).containsExactly(status("first", SUCCESS, "running"), unknown);
    assertThat(job("first").after()).isEmpty();

    chains.succeed("first");
    assertThat(job("second").after())
        .containsExactly(status("first", SUCCESS, "succeeded"), unknown);
  }

  @Test
  void startedJobTellsWhatItWaitedFor() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", END)));

    chains.stop("first");

    assertThat(job("second").state()).isEqualTo("running");
    assertThat(job("second").after()).containsExactly(status("first", END, "stopped"));
  }

  @Test
  void unreadablePredecessorHidesNoOther() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(LabCluster.count("other", 1));
    chains.submit(
        JobChains.successor(
            "second", JobChains.after("first", SUCCESS), JobChains.after("other", SUCCESS)));
    labCluster.store.spoil(labCluster.job("other").key());

    assertThat(job("second").after())
        .extracting(p -> p.state().orElse("?"))
        .containsExactly("running", "unreadable");
    assertThat(listed("second", 10).after())
        .extracting(p -> p.state().orElse("?"))
        .containsExactly("running", "unreadable");
  }

  @Test
  void listTellsStatesOfListedJobsOnly() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(LabCluster.count("between", 1));
    chains.submit(
        JobChains.successor(
            "third", JobChains.after("first", SUCCESS), JobChains.after("between", SUCCESS)));

    assertThat(listed("third", 3).after())
        .containsExactly(
            status("first", SUCCESS, "running"), status("between", SUCCESS, "running"));
    var first = Optional.of(labCluster.job("first").uid());
    assertThat(listed("third", 2).after())
        .containsExactly(
            new PredecessorStatus("first", first, SUCCESS, Optional.empty()),
            status("between", SUCCESS, "running"));
  }

  private JobStatus listed(String name, int limit) {
    return queries().jobs("lab", limit).stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** All of them are one call, and a list makes none. */
  @Test
  void statesOfPredecessorsCostOneCallAtMost() {
    for (var name : names(8)) chains.submit(LabCluster.count(name, 1));
    var alone = calls(() -> job("before-0"));
    submitAfter("one", 1);
    var list = calls(() -> queries().jobs("lab", 1));
    submitAfter("eight", 8);

    assertThat(job("eight").after()).hasSize(8).allMatch(it -> it.state().isPresent());
    assertThat(calls(() -> job("eight"))).isEqualTo(alone + 1);
    assertThat(calls(() -> queries().jobs("lab", 1))).isEqualTo(list);
  }

  private void submitAfter(String job, int predecessors) {
    var after = names(predecessors).stream().map(it -> JobChains.after(it, SUCCESS));
    chains.submit(JobChains.successor(job, after.toArray(Predecessor[]::new)));
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "before-" + i).toList();
  }

  private int calls(Runnable what) {
    var before = labCluster.ledger.reads;
    what.run();
    return labCluster.ledger.reads - before;
  }
}
