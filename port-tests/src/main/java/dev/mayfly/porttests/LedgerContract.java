package dev.mayfly.porttests;

import static dev.mayfly.porttests.Samples.T0;
import static dev.mayfly.porttests.Samples.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Ticks;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Ledger} does, beginning with an empty one for each test: documents, versions
 * and batches. Its sisters are {@link LedgerQueryContract} and {@link LedgerWatchContract}.
 */
public abstract class LedgerContract {
  private static final Key.OfTicks TICKS = new Key.OfTicks();
  private static final Key.OfClusterName LAB = new Key.OfClusterName("lab");

  /** The ledger of this test; the same one at each call. */
  protected abstract Ledger ledger();

  @Test
  void aDocumentThatWasNeverWrittenIsNotThere() {
    assertThat(ledger().read(LAB)).isEmpty();
    assertThat(ledger().readAll(List.of(LAB)).isEmpty()).isTrue();
    assertThat(ledger().readAll(List.<Key.OfClusterName>of()).isEmpty()).isTrue();
  }

  @Test
  void everyKindOfDocumentComesBackAsItWasWritten() {
    for (var document : SampleDocuments.all()) {
      put(document);

      assertThat(ledger().read(document.key()).map(Stored::value)).isEqualTo(Optional.of(document));
    }
  }

  @Test
  void timesAreKeptToTheMicrosecond() {
    put(new Ticks(Ticks.Want.RUN, T0.plusNanos(123_456_789)));

    assertThat(ledger().read(TICKS).orElseThrow().value().since())
        .isEqualTo(T0.plusNanos(123_456_000));
  }

  @Test
  void aLaterWriteOfOneDocumentDoesNotTouchAnother() {
    var all = SampleDocuments.all();
    all.forEach(this::put);

    for (var document : all)
      assertThat(ledger().read(document.key()).map(Stored::value)).isEqualTo(Optional.of(document));
  }

  @Test
  void createWritesWhatIsNotThereAndConflictsWithWhatIs() {
    var first = new ClusterName("lab", "c-1");

    assertThat(commit(new Write.Create(first)).done()).isTrue();
    assertThat(commit(new Write.Create(new ClusterName("lab", "c-2"))))
        .isEqualTo(new Committed.Conflict(LAB));
    assertThat(ledger().read(LAB).orElseThrow().value()).isEqualTo(first);
  }

  @Test
  void updateNeedsTheVersionThatIsThere() {
    var old = put(new ClusterName("lab", "c-1"));
    var next = put(new ClusterName("lab", "c-2"));

    assertThat(commit(new Write.Update(new ClusterName("lab", "c-3"), old)))
        .isEqualTo(new Committed.Conflict(LAB));
    assertThat(commit(new Write.Update(new ClusterName("lab", "c-4"), next)).done()).isTrue();
    assertThat(ledger().read(LAB).orElseThrow().value().uid()).isEqualTo("c-4");
  }

  @Test
  void updateOfWhatIsNotThereConflicts() {
    var version = put(new ClusterName("lab", "c-1"));
    commit(new Write.Delete(LAB));

    assertThat(commit(new Write.Update(new ClusterName("lab", "c-2"), version)))
        .isEqualTo(new Committed.Conflict(LAB));
    assertThat(ledger().read(LAB)).isEmpty();
  }

  @Test
  void theVersionsOfACommitAreThoseThatAReadGives() {
    var done =
        (Committed.Done)
            commit(
                new Write.Create(new ClusterName("a", "c-1")),
                new Write.Delete(LAB),
                new Write.Put(new Ticks(Ticks.Want.RUN, T0)));

    assertThat(done.versions()).hasSize(3);
    assertThat(done.versions().get(0))
        .isEqualTo(ledger().read(new Key.OfClusterName("a")).orElseThrow().version());
    assertThat(done.versions().get(1)).isEmpty();
    assertThat(done.versions().get(2)).isEqualTo(ledger().read(TICKS).orElseThrow().version());
  }

  @Test
  void twoWritesOfTheSameContentHaveTwoVersions() {
    var document = new ClusterName("lab", "c-1");

    var versions = new ArrayList<String>();
    for (var i = 0; i < 5; i++) versions.add(put(document));
    commit(new Write.Delete(LAB));
    for (var i = 0; i < 5; i++) versions.add(put(document));

    assertThat(versions).doesNotHaveDuplicates();
  }

  @Test
  void aBatchWithOneConflictWritesNothing() {
    put(new Ticks(Ticks.Want.RUN, T0));
    put(new ClusterName("kept", "c-1"));

    var committed =
        commit(
            new Write.Put(new ClusterName("lab", "c-1")),
            new Write.Delete(new Key.OfClusterName("kept")),
            new Write.Notify("c-1", T0, true, List.of("w")),
            new Write.Create(new Ticks(Ticks.Want.PAUSE, T0)),
            new Write.Create(new ClusterName("other", "c-1")));

    assertThat(committed).isEqualTo(new Committed.Conflict(TICKS));
    assertThat(ledger().read(LAB)).isEmpty();
    assertThat(ledger().read(new Key.OfClusterName("kept"))).isPresent();
    assertThat(ledger().read(new Key.OfClusterName("other"))).isEmpty();
    assertThat(ledger().read(new Key.OfPulse("c-1"))).isEmpty();
  }

  @Test
  void aBatchOfFourHundredIsWritten() {
    var writes = new ArrayList<Write>();
    for (var i = 0; i < 400; i++)
      writes.add(new Write.Create(Shard.of(new Key.OfShard("c", "j", i), i + 1, Bits.none(i))));

    assertThat(ledger().commit(writes).done()).isTrue();
    assertThat(ledger().totals(new Key.OfJob("c", "j"))).isEqualTo(new Totals(0, 0, 400, 0, 400));
  }

  @Test
  void deletingWhatIsNotThereIsNoError() {
    assertThat(commit(new Write.Delete(LAB)).done()).isTrue();
  }

  @Test
  void aBatchOfTheMostIsTakenAndNoLargerOne() {
    assertThat(ledger().commit(batch(BatchSize.MOST)).done()).isTrue();
    assertThatThrownBy(() -> ledger().commit(batch(BatchSize.MOST + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("401 writes");
  }

  private static List<Write> batch(int size) {
    return IntStream.range(0, size)
        .<Write>mapToObj(i -> new Write.Put(new ClusterName("n" + i, "c")))
        .toList();
  }

  @Test
  void anEmptyBatchIsDone() {
    assertThat(ledger().commit(List.of())).isEqualTo(new Committed.Done(List.of()));
  }

  @Test
  void readAllKeepsTheOrderOfTheKeysAndLeavesOutWhatIsNotThere() {
    for (var name : List.of("a", "b", "c")) put(new ClusterName(name, "c-" + name));

    var read =
        ledger()
            .readAll(
                List.of(
                    new Key.OfClusterName("c"),
                    new Key.OfClusterName("missing"),
                    new Key.OfClusterName("a")))
            .complete();

    assertThat(read).extracting(s -> s.value().name()).containsExactly("c", "a");
    assertThat(read.getFirst().version())
        .isEqualTo(ledger().read(new Key.OfClusterName("c")).orElseThrow().version());
  }

  @Test
  void aJobAndAClusterMayHaveOneName() {
    put(new ClusterName("lab", "c-1"));
    put(Samples.cluster("lab", dev.mayfly.core.model.Cluster.Phase.UP));

    assertThat(ledger().read(LAB).orElseThrow().value().uid()).isEqualTo("c-1");
    assertThat(ledger().read(new Key.OfCluster("lab"))).isPresent();
  }

  @Test
  void notifyMakesThePulseAndThenMergesIntoIt() {
    commit(new Write.Notify("c", at(1), false, List.of("w-1")));
    commit(new Write.Notify("c", at(2), true, List.of()));
    commit(new Write.Notify("c", at(3), false, List.of("w.2", "w-3")));

    var pulse = ledger().read(new Key.OfPulse("c")).orElseThrow().value();

    assertThat(pulse.work()).isEqualTo(at(2));
    assertThat(pulse.workers())
        .containsOnly(
            java.util.Map.entry("w-1", at(1)),
            java.util.Map.entry("w.2", at(3)),
            java.util.Map.entry("w-3", at(3)));
  }

  @Test
  void aNotifyOfWorkersAloneLeavesTheTimeOfWorkAtTheBeginning() {
    commit(new Write.Notify("c", at(1), false, List.of("w-1")));

    assertThat(ledger().read(new Key.OfPulse("c")).orElseThrow().value().work())
        .isEqualTo(java.time.Instant.EPOCH);
  }

  private Committed commit(Write... writes) {
    return ledger().commit(List.of(writes));
  }

  private String put(Document document) {
    return ((Committed.Done) commit(new Write.Put(document))).versions().getFirst();
  }
}
