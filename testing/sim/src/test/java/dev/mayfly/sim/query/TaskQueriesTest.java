package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.LedgerMeter;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.query.task.TaskStatus.State;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tasks one by one, while their job lives and after it. */
class TaskQueriesTest {
  private final LabCluster labCluster = new LabCluster(1);

  private TaskPage page(String job, Optional<State> state, long from, int limit) {
    return labCluster
        .controlPlane
        .statusQueries()
        .tasks("lab", job, new TaskRequest(state, from, limit));
  }

  private List<TaskStatus> tasks(String job) {
    return page(job, Optional.empty(), 0, 100).tasks();
  }

  private TaskStatus task(String job, long index) {
    return labCluster.controlPlane.statusQueries().task("lab", job, index);
  }

  private List<State> states(String job) {
    return tasks(job).stream().map(TaskStatus::state).toList();
  }

  private static List<Long> indexes(TaskPage page) {
    return page.tasks().stream().map(TaskStatus::index).toList();
  }

  /** As an agent seals an output that it has made itself. */
  private void seal(String job, long index, String worker, long seconds) {
    var uid = labCluster.job(job).uid();
    var output = "gs://lab/out/" + job + "/" + index;
    var sentinel =
        new Sentinel(
            uid,
            index,
            "s0e1",
            output,
            0,
            0,
            "",
            worker,
            labCluster.now(),
            Optional.of(labCluster.now().minusSeconds(seconds)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    labCluster.put(output + Sentinel.SUFFIX, "", sentinel.metadata());
  }

  private ScriptedAgent worker() {
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    return worker;
  }

  @Test
  void aLeaseBeginsWithRunningTasks() {
    labCluster.submit(LabCluster.count("j", 5));
    assertThat(states("j")).containsOnly(State.WAITING);
    worker();

    assertThat(states("j")).startsWith(State.RUNNING, State.RUNNING).contains(State.WAITING);
    var first = task("j", 0);
    assertThat(first.workers()).containsExactly("w");
    assertThat(first.output()).contains("gs://lab/out/j/0");
    assertThat(first.attempts()).contains(TaskAttempts.of(0, 0, true));
    assertThat(first.startedAt().orElseThrow()).isBeforeOrEqualTo(labCluster.now());
    assertThat(indexes(page("j", Optional.of(State.RUNNING), 0, 100))).startsWith(0L, 1L);
    assertThat(indexes(page("j", Optional.of(State.DONE), 0, 100))).isEmpty();
  }

  @Test
  void aDoneTaskHasItsTimesFromItsSentinel() {
    labCluster.submit(LabCluster.count("j", 2));
    var worker = worker();
    seal("j", 0, "w", 7);
    worker.complete(task -> task == 0);
    worker.release();
    worker.syncAndWait();

    var done = task("j", 0);
    assertThat(done.state()).isEqualTo(State.DONE);
    assertThat(done.workers()).containsExactly("w");
    assertThat(done.endedAt().orElseThrow())
        .isEqualTo(done.startedAt().orElseThrow().plusSeconds(7));
    assertThat(done.doneBefore()).isFalse();
    assertThat(done.attempts()).contains(TaskAttempts.of(0, 0, true));
  }

  /** A bucket's rights or a store that is away must not hide what the ledger knows. */
  @Test
  void aDoneTaskIsShownWithoutItsSentinel() {
    labCluster.submit(LabCluster.count("j", 2));
    var worker = worker();
    worker.complete(task -> task == 0);
    worker.release();
    worker.syncAndWait();

    assertThat(task("j", 0).state()).isEqualTo(State.DONE);
    assertThat(task("j", 0).endedAt()).isEmpty();
  }

  @Test
  void aTaskDoneBeforeItsJobSaysSo() {
    labCluster.put("gs://lab/out/j/1.COMPLETE");
    labCluster.submit(LabCluster.count("j", 2));

    assertThat(states("j")).containsExactly(State.WAITING, State.DONE);
    assertThat(task("j", 1).doneBefore()).isTrue();
    assertThat(task("j", 1).attempts()).contains(TaskAttempts.of(0, 0, false));
    assertThat(task("j", 0).doneBefore()).isFalse();
  }

  @Test
  void aFailedAttemptIsShownWhileItsTaskWaits() {
    labCluster.submit(LabCluster.count("j", 1));
    var worker = worker();
    worker.failed(0);
    worker.release();
    worker.sync();

    var task = task("j", 0);
    assertThat(task.failure()).hasValueSatisfying(f -> assertThat(f.evidence()).isEqualTo("no"));
    assertThat(task.attempts().orElseThrow().failures()).isEqualTo(1);
    assertThat(task.state()).isIn(State.WAITING, State.RUNNING);
    assertThat(task.endedAt()).isEmpty();
  }

  @Test
  void aDoneTaskKeepsItsFailedAttempts() {
    labCluster.submit(LabCluster.count("j", 2));
    var worker = worker();
    worker.failed(0);
    worker.release();
    worker.syncAndWait();
    worker.failed(0);
    worker.release();
    worker.syncAndWait();
    assertThat(task("j", 0).failures().orElseThrow()).hasSize(2);
    worker.finish();

    var task = task("j", 0);
    assertThat(task.state()).isEqualTo(State.DONE);
    assertThat(task.failure()).isEmpty();
    assertThat(task.failures().orElseThrow())
        .extracting(AttemptFailure::attempt)
        .containsExactly("s0e1", "s0e3");
    assertThat(task("j", 1).failures().orElseThrow()).isEmpty();
    assertThat(tasks("j")).allMatch(each -> each.failures().isEmpty());
  }

  /** Each idle worker cuts the shard that it takes from. */
  @Test
  void aTaskOfAShardCutOftenIsFound() {
    labCluster.submit(LabCluster.count("j", 200));
    var workers = new ArrayList<ScriptedAgent>();
    for (var i = 0; i < 6; i++) {
      workers.add(labCluster.machine("w" + i));
      workers.forEach(ScriptedAgent::syncAndWait);
    }

    for (var index : List.of(0L, 99L, 150L, 199L))
      assertThat(task("j", index).index()).isEqualTo(index);
  }

  @Test
  void itemsShowTheirInputAndVariables() {
    var items =
        List.of(
            Map.of("input", "gs://lab/in/a", "lr", "0.1"),
            Map.of("input", "gs://lab/in/b", "lr", "0.2"));
    labCluster.submit(LabCluster.spec("j", new TaskSource.Items(items), "gs://lab/out/{job}/{lr}"));

    assertThat(task("j", 1).input()).contains("gs://lab/in/b");
    assertThat(task("j", 1).variables()).containsEntry("lr", "0.2");
  }

  @Test
  void pagesTogetherHoldEveryTaskOnce() {
    labCluster.submit(LabCluster.count("j", 7));
    worker();
    var seen = new ArrayList<Long>();
    var pages = 0;
    for (var from = Optional.of(0L); from.isPresent() && pages < 10; pages++) {
      var page = page("j", Optional.empty(), from.get(), 3);
      assertThat(page.tasks()).hasSizeLessThanOrEqualTo(3);
      seen.addAll(indexes(page));
      from = page.next();
    }

    assertThat(pages).isEqualTo(3);
    assertThat(seen).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(page("j", Optional.empty(), 7, 3))
        .isEqualTo(new TaskPage(List.of(), Optional.empty()));
  }

  /** Stops the job, whose worker then returns its leases. */
  private void stop(ScriptedAgent worker) {
    labCluster.stop("j");
    worker.syncAndWait();
    worker.release();
    worker.syncAndWait();
    labCluster.deliver();
  }

  @Test
  void anEndedJobShowsItsOutcome() {
    labCluster.submit(LabCluster.count("j", 3));
    var worker = worker();
    seal("j", 0, "w", 9);
    worker.complete(task -> task == 0);
    worker.failed(1);
    worker.release();
    worker.syncAndWait();
    stop(worker);
    assertThat(labCluster.end("j")).startsWith("STOPPED");

    assertThat(states("j")).containsExactly(State.DONE, State.STOPPED, State.STOPPED);
    assertThat(indexes(page("j", Optional.of(State.STOPPED), 0, 1))).containsExactly(1L);
    assertThat(page("j", Optional.of(State.STOPPED), 0, 1).next()).contains(2L);
    assertThat(indexes(page("j", Optional.of(State.FAILED), 0, 5))).isEmpty();
    assertThat(task("j", 0).startedAt()).isPresent();
    assertThat(task("j", 0).attempts()).contains(TaskAttempts.of(0, 0, true));
    assertThat(task("j", 1).failure()).isPresent();
  }

  /** A lifecycle rule of the bucket deletes old objects. */
  @Test
  void anEndedJobWithoutOutcomeShowsItsShards() {
    labCluster.submit(LabCluster.count("j", 2));
    var worker = worker();
    seal("j", 0, "w", 9);
    worker.complete(task -> task == 0);
    stop(worker);
    labCluster.delete(
        ObjectUrl.of(labCluster.job("j").state().end().orElseThrow().outcome().orElseThrow())
            .toString());

    assertThat(states("j")).containsExactly(State.DONE, State.STOPPED);
    assertThat(task("j", 0).endedAt()).isPresent();
  }

  @Test
  void anUnknownTaskNamesTheKnownOnes() {
    labCluster.submit(LabCluster.count("j", 2));

    assertThatThrownBy(() -> task("j", 2))
        .isInstanceOf(UnknownNameException.class)
        .hasMessageContaining("no task 2; its tasks are 0 to 1");
    assertThatThrownBy(() -> task("j", Long.MAX_VALUE)).isInstanceOf(UnknownNameException.class);
  }

  @Test
  void aPageOfManyTasksReadsFewDocuments() {
    var meter = new LedgerMeter();
    var reader = labCluster.control("b", meter.wrap(labCluster.store), labCluster.codec);
    labCluster.submit(LabCluster.count("j", 150_000));
    labCluster.deliver();
    assertThat(labCluster.job("j").tasks().count()).isEqualTo(150_000);

    var before = meter.operations();
    var middle =
        reader.statusQueries().tasks("lab", "j", new TaskRequest(Optional.empty(), 134_321, 100));
    var all = meter.operations().since(before).total();

    assertThat(middle.tasks()).hasSize(100);
    assertThat(middle.tasks().getFirst().index()).isEqualTo(134_321);
    assertThat(middle.next()).contains(134_421L);
    assertThat(all).isLessThanOrEqualTo(8);
    var none =
        reader
            .statusQueries()
            .tasks("lab", "j", new TaskRequest(Optional.of(State.FAILED), 0, 100));
    assertThat(none.tasks()).isEmpty();
    assertThat(none.next().orElseThrow()).isGreaterThanOrEqualTo(20_000);
  }

  @Test
  void aForeignTimeIsNone() {
    assertThat(Sentinel.times(Map.of("mayfly-ended", "yesterday")).endedAt()).isEmpty();
    assertThat(Sentinel.times(Map.of("mayfly-ended", Instant.EPOCH.toString())).endedAt())
        .contains(Instant.EPOCH);
  }
}
