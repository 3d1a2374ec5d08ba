package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Silence second by second, with correct agents. */
class LivenessMonitorTest {
  private final LabCluster labCluster = new LabCluster();
  private final List<ScriptedAgent> speaking = new ArrayList<>();

  private ScriptedAgent speaker(String name) {
    var w = labCluster.machine(name);
    w.wait = 10;
    speaking.add(w);
    w.sync();
    return w;
  }

  /** Advances a second, in which every agent with a reply syncs again. */
  private void second() {
    labCluster.advance(1_000);
    for (var w : List.copyOf(speaking)) if (w.answers.size() >= w.seq) speak(w);
  }

  private void speak(ScriptedAgent w) {
    try {
      w.sync();
    } catch (UnavailableException later) {
      w.seq--;
    }
  }

  private void seconds(int n) {
    for (var i = 0; i < n; i++) second();
  }

  /** The seconds until the worker is lost, {@code most} at most. */
  private int lostAfter(String worker, int most) {
    for (var s = 0; s < most; s++) {
      if (labCluster.worker(worker).state() instanceof WorkerState.Lost) return s;
      if (s % 60 == 59) labCluster.controlPlane.handle(new Trigger.Tick());
      second();
    }
    return most;
  }

  private boolean lost(String worker) {
    return labCluster.worker(worker).state() instanceof WorkerState.Lost;
  }

  @Test
  void frozenWorkerIsLostWithinFortySeconds() {
    labCluster.submit(LabCluster.count("j", 2));
    var frozen = speaker("a");
    speaker("b");
    speaker("c");
    seconds(20);
    assertThat(frozen.held()).isNotEmpty();
    speaking.remove(frozen);

    assertThat(lostAfter("a", 100)).isLessThanOrEqualTo(40);
    assertThat(labCluster.shards("j"))
        .noneMatch(s -> s.owner().filter(o -> o.worker().equals("a")).isPresent());
    assertThat(lost("b")).isFalse();
    assertThat(lost("c")).isFalse();
  }

  @Test
  void lostTasksAreNamedToTheirJob() {
    labCluster.submit(LabCluster.count("j", 2));
    var frozen = speaker("a");
    seconds(20);
    assertThat(frozen.held()).isNotEmpty();
    speaker("b");
    speaker("c");
    seconds(5);
    speaking.remove(frozen);

    assertThat(lostAfter("a", 100)).isLessThanOrEqualTo(40);

    var queries = labCluster.controlPlane.statusQueries();
    assertThat(queries.events("lab", Optional.of("job/j"), 50))
        .filteredOn(e -> e.what().equals("requeued"))
        .singleElement()
        .satisfies(e ->
            assertThat(e.why())
                .startsWith("tasks 0, 1 lost on worker a: no report for ")
                .endsWith("; 2 open tasks are back in the queue"));
    assertThat(queries.job("lab", "j").failures())
        .allSatisfy(f -> {
          assertThat(f.cause()).isEqualTo(FailureCause.LOST);
          assertThat(f.worker()).isEqualTo("a");
          assertThat(f.evidence()).startsWith("no report for ");
        })
        .extracting(AttemptFailure::index)
        .containsExactlyInAnyOrder(0L, 1L);
  }

  @Test
  void oneOfTwoIsLostWithinFortySeconds() {
    var frozen = speaker("a");
    speaker("b");
    seconds(20);
    speaking.remove(frozen);
    assertThat(lostAfter("a", 100)).isLessThanOrEqualTo(40);
    assertThat(lost("b")).isFalse();
  }

  @Test
  void loneWorkerIsLostWithinTwoHundredSeconds() {
    labCluster.submit(LabCluster.count("j", 2));
    var frozen = speaker("a");
    seconds(20);
    speaking.remove(frozen);

    assertThat(lostAfter("a", 400)).isBetween(100, 215);
    assertThat(labCluster.shards("j")).allMatch(s -> s.state() == Shard.State.READY);
  }

  @Test
  void tenMinuteOutageLosesNoWorker() {
    labCluster.submit(LabCluster.count("j", 6));
    for (var name : List.of("a", "b", "c")) speaker(name);
    seconds(20);
    var shards = labCluster.shards("j");
    labCluster.ledger.away = true;
    seconds(600);
    labCluster.ledger.away = false;
    seconds(60);

    for (var w : speaking) assertThat(lost(w.name)).as(w.name).isFalse();
    assertThat(labCluster.shards("j")).isEqualTo(shards);
  }

  @Test
  void shortOutageCountsForNoSilence() {
    for (var name : List.of("a", "b", "c")) speaker(name);
    seconds(20);
    speaking.removeFirst();
    labCluster.ledger.away = true;
    seconds(60);
    labCluster.ledger.away = false;
    seconds(4);
    labCluster.ledger.away = true;
    seconds(8);
    labCluster.ledger.away = false;

    assertThat(lostAfter("a", 100)).isBetween(8, 40);
  }

  @Test
  void instanceDeathLosesNoReturningWorker() {
    for (var name : List.of("a", "b", "c", "d", "e")) speaker(name);
    seconds(20);
    var all = List.copyOf(speaking);
    speaking.clear();
    labCluster.controlPlane.close();
    labCluster.advance(45_000);
    ControlPlane next = labCluster.control("next");
    for (var w : all) {
      w.desk = next;
      w.leases.clear();
      w.sync();
      speaking.add(w);
      labCluster.advance(1_000);
    }
    seconds(60);

    for (var w : all) assertThat(lost(w.name)).as(w.name).isFalse();
  }

  @Test
  void conflictingCheckDecidesNothing() {
    var frozen = speaker("a");
    speaker("b");
    seconds(20);
    speaking.remove(frozen);
    var served = new DocumentKey.OfServingHistory(labCluster.uid);
    for (var i = 0; i < 60; i++) {
      labCluster.ledger.before(
          w -> w.stream().anyMatch(x -> x.key().equals(served)),
          () -> labCluster.store.touch(served));
      second();
    }
    assertThat(lost("a")).isFalse();
    labCluster.ledger.before(w -> false, () -> {});
    assertThat(lostAfter("a", 40)).isLessThan(40);
  }

  @Test
  void workerSyncingInTimeIsNotLost() {
    var slow = speaker("a");
    speaker("b");
    seconds(20);
    speaking.remove(slow);
    seconds(20);
    speaking.add(slow);
    slow.sync();
    seconds(60);
    assertThat(lost("a")).isFalse();
  }

  /** Its next sync reached a stalled instance that is unknown to the others. */
  @ParameterizedTest
  @CsvSource({"10, 15, true", "25, 30, false"})
  void callHeldByUnknownInstanceLosesNoWorker(int wait, int abandoned, boolean busy) {
    if (busy) labCluster.submit(LabCluster.count("j", 2));
    var kept = speaker("a");
    kept.wait = wait;
    speaker("b");
    speaker("c");
    seconds(80);
    speaking.remove(kept);
    while (kept.answers.size() < kept.seq) second();

    seconds(abandoned);
    assertThat(lost("a")).isFalse();
    kept.sync();
    seconds(30);

    assertThat(lost("a")).isFalse();
  }

  /** The instance has no pending sync, so only new syncs run the liveness check. */
  @Test
  void syncDoesNotLoseItsOwnWorker() {
    var slow = labCluster.machine("a");
    var other = labCluster.machine("b");
    slow.wait = 0;
    other.wait = 0;
    slow.sync();
    other.sync();
    for (var pause : List.of(9, 9, 8)) {
      labCluster.advance(1_000L * pause);
      other.sync();
    }
    labCluster.advance(7_000);

    slow.sync();

    assertThat(lost("a")).isFalse();
  }

  @Test
  void onlyTickLosesAllAtOnce() {
    speaker("a");
    speaker("b");
    seconds(20);
    speaking.clear();
    assertThat(lostAfter("a", 400)).isLessThanOrEqualTo(260);
    assertThat(labCluster.worker("b").state()).isInstanceOf(WorkerState.Lost.class);
  }

  @Test
  void goneWorkersAreNotCountedAsPeers() {
    var gone = speaker("gone");
    var frozen = speaker("a");
    speaker("b");
    seconds(20);
    labCluster.change("gone", true, w -> w.with(new WorkerState.Gone(labCluster.now(), "deleted")));
    speaking.remove(gone);
    seconds(120);
    speaking.remove(frozen);
    assertThat(lostAfter("a", 100)).isLessThanOrEqualTo(40);
  }
}
