package dev.mayfly.sim.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Served;
import dev.mayfly.core.model.WorkerHost;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is left in the ledger of what has been gone for long. */
class PurgeTest {
  private static final PoolSpec SLICES =
      new PoolSpec(
          "pod",
          "v4-32",
          Resources.cpu(4, 16L << 30),
          List.of(Bench.ZONE),
          Provisioning.SPOT,
          1,
          1,
          Duration.ofMinutes(30),
          Duration.ofHours(24));

  private final Bench b = new Bench(SLICES);

  private List<String> under(String folder) {
    return b.ledger.under("clusters/" + b.uid + folder).stream()
        .filter(d -> !(d instanceof Event))
        .map(Document::key)
        .map(k -> k.path())
        .toList();
  }

  private void hosts(String worker) {
    var who = new Incarnation("7", "b", b.time.instant());
    b.ledger.commit(
        IntStream.range(1, 4)
            .<Write>mapToObj(i ->
                new Write.Put(
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
    b.time.pass(Duration.ofHours(25));

    b.cleanup.sweep();

    assertThat(under("/workers/" + worker)).isEmpty();
  }

  @Test
  void onlyTheClusterDocumentSurvivesPurge() {
    b.tick();
    var worker = b.only().name();
    hosts(worker);
    b.ledger.commit(
        List.of(
            new Write.Put(new Served(b.uid, List.of())),
            new Write.Put(new Beats(b.uid, "f1", b.time.instant(), Optional.empty(), Map.of())),
            new Write.Notify(b.uid, b.time.instant(), true, List.of())));
    b.changes.down("lab", b.time.instant());
    b.change(worker, w -> w.with(new WorkerState.Gone(b.time.instant(), "over")));
    b.fleet.list().machines().forEach(m -> b.fleet.delete(m.name()));
    for (var i = 0; i < 3; i++) b.tick();
    assertThat(b.cluster().endedAt()).isPresent();
    b.time.pass(Duration.ofHours(25));

    b.cleanup.sweep();

    assertThat(under("")).containsExactly("clusters/" + b.uid);
  }
}
