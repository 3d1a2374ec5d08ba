package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.ServingHistory;
import dev.mayfly.core.model.document.WorkerHost;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Documents of things that have been gone for long. */
class DocumentPurgeTest {
  private static final PoolSpec SLICES =
      new PoolSpec(
          "pod",
          "v4-32",
          Resources.cpu(4, 16L << 30),
          List.of(ReconcileFixture.ZONE),
          Provisioning.SPOT,
          1,
          1,
          Duration.ofMinutes(30),
          Duration.ofHours(24),
          MachineSpec.PLAIN);

  private final ReconcileFixture b = new ReconcileFixture(SLICES);

  private List<String> under(String folder) {
    return b.ledger.under("clusters/" + b.uid + folder).stream()
        .filter(d -> !(d instanceof EventRecord))
        .map(LedgerDocument::key)
        .map(k -> k.path())
        .toList();
  }

  private void hosts(String worker) {
    var who = new Incarnation("7", "b", b.time.instant());
    b.ledger.commit(
        IntStream.range(1, 4)
            .<LedgerWrite>mapToObj(i ->
                new LedgerWrite.Put(
                    new WorkerHost(
                        b.uid, worker, i, who, 1, b.time.instant(), false, Optional.empty())))
            .toList());
  }

  @Test
  void goneSliceLeavesNoHosts() {
    b.tick();
    var worker = b.only().name();
    hosts(worker);
    assertThat(under("/workers/")).hasSize(4);
    b.change(worker, w -> w.with(new WorkerState.Gone(b.time.instant(), "over")));
    b.time.advance(Duration.ofHours(25));

    b.orphanCollector.collect();

    assertThat(under("/workers/" + worker)).isEmpty();
  }

  @Test
  void onlyTheClusterDocumentSurvivesPurge() {
    b.tick();
    var worker = b.only().name();
    hosts(worker);
    b.ledger.commit(
        List.of(
            new LedgerWrite.Put(new ServingHistory(b.uid, List.of())),
            new LedgerWrite.Put(
                new Heartbeats(b.uid, "f1", b.time.instant(), Optional.empty(), Map.of())),
            new LedgerWrite.Signal(b.uid, b.time.instant(), true, List.of())));
    b.changes.down("lab", b.time.instant());
    b.change(worker, w -> w.with(new WorkerState.Gone(b.time.instant(), "over")));
    b.fleet.list().machines().forEach(m -> b.fleet.delete(m.name()));
    for (var i = 0; i < 3; i++) b.tick();
    assertThat(b.cluster().endedAt()).isPresent();
    b.time.advance(Duration.ofHours(25));

    b.orphanCollector.collect();

    assertThat(under("")).containsExactly("clusters/" + b.uid);
  }
}
