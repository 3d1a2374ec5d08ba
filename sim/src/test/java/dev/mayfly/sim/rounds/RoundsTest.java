package dev.mayfly.sim.rounds;

import static dev.mayfly.sim.rounds.Bench.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static WorkerState.Drained drained(Bench b) {
    return new WorkerState.Drained(b.time.instant(), "idle");
  }

  @Test
  void machinesAppearFromNothingAndTheNextRoundBuysNoMore() {
    var b = new Bench();
    b.job("reddit", 5);

    b.tick();
    b.tick();

    assertThat(b.machines.ever()).hasSize(3);
    assertThat(b.workers())
        .hasSize(3)
        .allSatisfy(w -> assertThat(w.state()).isInstanceOf(WorkerState.Booting.class))
        .allSatisfy(w -> assertThat(w.name()).matches("lab-cpu-[a-z0-9]{6}"));
    assertThat(b.cluster().launches()).isEqualTo(3);
    assertThat(b.events("launched").getFirst())
        .endsWith("in us-a: 5 tasks of job reddit have no room");
  }

  @Test
  void aDrainedMachineIsGoneOnlyWhenTheCloudDoesNotKnowIt() {
    var b = new Bench();
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.time.pass(Duration.ofSeconds(30));
    b.change(name, w -> w.with(drained(b)));

    b.rounds.tick();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Drained.class);
    b.tick();

    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(b.events("deleted")).containsExactly("the machine is gone; idle");
  }

  @Test
  void oneBadMachineNeverStopsTheLoopOverTheOthers() {
    var b = new Bench();
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
  void anIdleWorkerIsDrainedAfterItsTimeAndLostPastTheDeadline() {
    var b = new Bench();
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.speak(name);
    var job = b.ledger.read(new Key.OfJob(b.uid, "uid-reddit")).orElseThrow();
    end(b, job.value());

    for (var i = 0; i < 10; i++) b.tick();
    assertThat(b.worker(name).state()).isInstanceOf(WorkerState.Draining.class);
    for (var i = 0; i < 5; i++) b.tick();

    assertThat(b.worker(name).state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(Cause.RETURNED));
  }

  private static void end(Bench b, Job job) {
    var done = new JobState.Ended(b.time.instant(), JobState.Result.SUCCEEDED, "");
    b.ledger.commit(List.of(new Write.Put(job.with(done))));
  }

  @Test
  void theTurnsAreKeptTrue() {
    var b = new Bench();
    var job = b.job("reddit", 1);

    b.tick();
    assertThat(b.ledger.read(new Key.OfTurns(b.uid)).orElseThrow().value().rows()).hasSize(1);
    end(b, job);
    b.tick();

    assertThat(b.ledger.read(new Key.OfTurns(b.uid)).orElseThrow().value().rows()).isEmpty();
  }

  @Test
  void aReadyWorkerThatNoInstanceKnowsGetsADueTimeOnce() {
    var b = new Bench();
    b.job("reddit", 1);
    b.tick();
    b.speak(b.only().name());

    b.tick();
    var first = b.ledger.query(new Query.AllBeats(b.uid)).complete().getFirst().value();
    b.tick();

    assertThat(first.due()).containsOnlyKeys(b.only().name());
    assertThat(b.ledger.query(new Query.AllBeats(b.uid)).complete().getFirst().value())
        .isEqualTo(first);
  }

  @Test
  void aClusterThatGoesIsGoneWhenNothingIsLeftAnywhere() {
    var b = new Bench(pool(2, 5, Bench.ZONE));
    b.tick();
    assertThat(b.workers()).hasSize(2);
    b.time.pass(Duration.ofSeconds(1));

    b.changes.down("lab", b.time.instant());
    for (var i = 0; i < 4; i++) b.tick();

    assertThat(b.cluster().phase()).isEqualTo(Cluster.Phase.GONE);
    assertThat(b.cluster().endedAt()).isPresent();
    assertThat(b.machines.machines()).isEmpty();
  }
}
