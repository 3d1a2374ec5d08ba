package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Due times are written rarely, and before a worker that syncs could count as silent. */
class HeartbeatLogTest {
  private final LabCluster labCluster = new LabCluster();

  /** The worker's newest written due time, by any instance. */
  private Instant written(String worker) {
    return labCluster
        .store
        .query(new LedgerQuery.AllHeartbeats(labCluster.uid))
        .requireComplete()
        .stream()
        .map(b -> b.value().due().get(worker))
        .filter(Objects::nonNull)
        .max(Instant::compareTo)
        .orElseThrow();
  }

  private void assertSpeaking(String worker) {
    assertThat(written(worker).plus(Timings.DEFAULT.silentAfter())).isAfter(labCluster.now());
  }

  @Test
  void quietSyncsWriteFewHeartbeats() {
    var w = labCluster.machine("w");
    w.wait = 1;
    w.syncAndWait();
    var version =
        labCluster
            .store
            .read(new DocumentKey.OfWorker(labCluster.uid, "w"))
            .orElseThrow()
            .version();
    var before = labCluster.ledger.commits;
    for (var i = 0; i < 160; i++) {
      w.sync();
      labCluster.advance(250);
      assertSpeaking("w");
    }
    assertThat(
            labCluster
                .store
                .read(new DocumentKey.OfWorker(labCluster.uid, "w"))
                .orElseThrow()
                .version())
        .isEqualTo(version);
    assertThat(labCluster.ledger.commits - before).isBetween(3, 4);
  }

  @Test
  void workerSwitchingInstancesIsNeverSilent() {
    var w = labCluster.machine("w");
    w.wait = 10;
    var desks = List.of(labCluster.controlPlane, labCluster.control("b"), labCluster.control("c"));
    w.sync();
    labCluster.advance(100);
    for (var i = 0; i < 120; i++) {
      labCluster.advance(1_000);
      if (w.answers.size() >= w.seq) {
        w.desk = desks.get(i % 3);
        w.sync();
      }
      assertSpeaking("w");
    }
  }

  @Test
  void thousandWorkersCostWriteEveryFewSeconds() {
    var workers = new java.util.ArrayList<ScriptedAgent>();
    for (var i = 0; i < 1_000; i++) workers.add(labCluster.machine("w" + i));
    for (var w : workers) {
      w.wait = 10;
      w.sync();
      labCluster.advance(10);
    }
    var before = labCluster.ledger.commits;
    for (var s = 0; s < 60; s++) {
      for (var w : workers) if (w.answers.size() >= w.seq) w.sync();
      labCluster.advance(1_000);
      workers.forEach(w -> assertSpeaking(w.name));
    }
    assertThat(labCluster.ledger.commits - before).isBetween(6, 26);
  }

  /** After the reply the instance may have no CPU, and would stay unknown. */
  @Test
  void firstDocumentIsWrittenBeforeFirstReply() {
    var w = labCluster.machine("w");
    w.wait = 0;

    w.sync();

    assertThat(w.answers).hasSize(1);
    assertThat(written("w")).isEqualTo(labCluster.now().plus(Timings.DEFAULT.syncInterval()));
  }

  @Test
  void waitingWorkerIsDueAtCallEnd() {
    var w = labCluster.machine("w");
    w.sync();
    labCluster.advance(2_000);
    assertThat(written("w")).isEqualTo(labCluster.now().plusSeconds(23));
  }

  @Test
  void earlierDueTimeIsWrittenSoon() {
    var w = labCluster.machine("w");
    w.sync();
    labCluster.advance(4_000);
    assertThat(written("w")).isEqualTo(labCluster.now().plusSeconds(21));

    labCluster.submit(LabCluster.count("j", 2));
    labCluster.advance(3_000);

    assertThat(w.held()).isNotEmpty();
    assertThat(written("w")).isBefore(labCluster.now().plusSeconds(10));
  }

  @Test
  void overtakenReplyKeepsLaterDueTime() {
    var w = labCluster.machine("w");
    w.sync();
    labCluster.advance(1_000);
    w.sync();
    labCluster.advance(20_000);
    assertThat(w.answers).as("the older call").hasSize(1);
    assertSpeaking("w");
  }

  @Test
  void silenceIsNotReadBeforeItIsPossible() {
    var w = labCluster.machine("w");
    w.sync();
    labCluster.advance(1_000);
    assertThat(written("w").plus(Timings.DEFAULT.silentAfter()))
        .isAfter(labCluster.now().plus(Duration.ofSeconds(20)));
    labCluster.advance(10_000);
    assertThat(labCluster.store.read(new DocumentKey.OfServingHistory(labCluster.uid))).isEmpty();
  }
}
