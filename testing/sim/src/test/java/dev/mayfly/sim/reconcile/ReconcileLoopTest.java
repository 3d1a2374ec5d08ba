package dev.mayfly.sim.reconcile;

import static dev.mayfly.sim.fixture.ReconcileFixture.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReconcileLoopTest {
  private static WorkerState.Drained drained(ReconcileFixture b) {
    return new WorkerState.Drained(b.time.instant(), "idle");
  }

  @Test
  void nextReconcileDoesNotLaunchAgain() {
    var b = new ReconcileFixture();
    b.job("reddit", 5);

    b.tick();
    b.tick();

    assertThat(b.machines.ever()).hasSize(3);
    assertThat(b.workers())
        .hasSize(3)
        .allSatisfy(w -> assertThat(w.state()).isInstanceOf(WorkerState.Booting.class))
        .allSatisfy(w -> assertThat(w.name()).matches("lab-cpu-[a-z0-9]{6}"));
    assertThat(b.cluster().launches()).isEqualTo(3);
    assertThat(b.events("ordered").getFirst())
        .endsWith("in us-a: 5 tasks of job reddit have no room");
  }

  @Test
  void drainedMachineIsGoneOnceCloudForgetsIt() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.advance(Duration.ofSeconds(30));
    b.change(name, w -> w.with(drained(b)));

    b.reconcileLoop.tick();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Drained.class);
    b.tick();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(b.events("deleted")).containsExactly("the machine is gone; idle");
  }

  @Test
  void failingMachineDoesNotStopReconcile() {
    var b = new ReconcileFixture();
    b.job("reddit", 6);
    b.tick();
    var names = b.workers().stream().map(Worker::name).toList();
    for (var name : names) b.change(name, w -> w.with(drained(b)));
    b.fleet.sick = names.getFirst();

    var told = b.tick();
    b.tick();

    assertThat(told).anySatisfy(t -> assertThat(t).contains("503 for " + names.getFirst()));
    assertThat(b.worker(names.get(0)).state()).isInstanceOf(WorkerState.Drained.class);
    assertThat(b.worker(names.get(1)).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(b.worker(names.get(2)).state()).isInstanceOf(WorkerState.Gone.class);
  }

  @Test
  void idleWorkerIsDrainedThenLost() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.makeReady(name);
    var job = b.ledger.read(new DocumentKey.OfJob(b.uid, "uid-reddit")).orElseThrow();
    end(b, job.value());

    for (var i = 0; i < 10; i++) b.tick();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Draining.class);
    for (var i = 0; i < 6; i++) b.tick();

    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(FailureCause.DRAINED));
  }

  private static void end(ReconcileFixture b, Job job) {
    var done =
        new JobState.Ended(
            b.time.instant(),
            JobState.Result.SUCCEEDED,
            "",
            TaskTotals.NONE,
            Map.of(),
            Optional.empty());
    b.ledger.commit(List.of(new LedgerWrite.Put(job.with(done))));
  }

  @Test
  void jobQueueIsCorrected() {
    var b = new ReconcileFixture();
    var job = b.job("reddit", 1);

    b.tick();
    assertThat(b.ledger.read(new DocumentKey.OfJobQueue(b.uid)).orElseThrow().value().rows())
        .hasSize(1);
    end(b, job);
    b.tick();

    assertThat(b.ledger.read(new DocumentKey.OfJobQueue(b.uid)).orElseThrow().value().rows())
        .isEmpty();
  }

  @Test
  void unknownReadyWorkerGetsDueTimeOnce() {
    var b = new ReconcileFixture();
    b.job("reddit", 1);
    b.tick();
    b.makeReady(b.only().name());

    b.tick();
    var first =
        b.ledger.query(new LedgerQuery.AllHeartbeats(b.uid)).requireComplete().getFirst().value();
    b.tick();

    assertThat(first.due()).containsOnlyKeys(b.only().name());
    assertThat(
            b.ledger
                .query(new LedgerQuery.AllHeartbeats(b.uid))
                .requireComplete()
                .getFirst()
                .value())
        .isEqualTo(first);
  }

  @Test
  void clusterIsGoneWhenNothingIsLeft() {
    var b = new ReconcileFixture(pool(2, 5, ReconcileFixture.ZONE));
    b.tick();
    assertThat(b.workers()).hasSize(2);
    b.time.advance(Duration.ofSeconds(1));

    b.changes.down("lab", b.time.instant());
    for (var i = 0; i < 4; i++) b.tick();

    assertThat(b.cluster().phase()).isEqualTo(Cluster.Phase.GONE);
    assertThat(b.cluster().endedAt()).isPresent();
    assertThat(b.machines.machines()).isEmpty();
  }
}
