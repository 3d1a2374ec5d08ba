package dev.mayfly.porttests;

import static dev.mayfly.porttests.DocumentFixtures.T0;
import static dev.mayfly.porttests.DocumentFixtures.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link Ledger} for documents, versions and batches, with an empty ledger for each
 * test. See also {@link LedgerQueryContract} and {@link LedgerWatchContract}.
 */
public abstract class LedgerContract {
  private static final DocumentKey.OfTickSchedule TICKS = new DocumentKey.OfTickSchedule();
  private static final DocumentKey.OfClusterName LAB = new DocumentKey.OfClusterName("lab");

  /** The ledger under test; always the same. */
  protected abstract Ledger ledger();

  @Test
  void unwrittenDocumentIsAbsent() {
    assertThat(ledger().read(LAB)).isEmpty();
    assertThat(ledger().readAll(List.of(LAB)).isEmpty()).isTrue();
    assertThat(ledger().readAll(List.<DocumentKey.OfClusterName>of()).isEmpty()).isTrue();
  }

  @Test
  void everyDocumentReadsBackAsWritten() {
    for (var ledgerDocument : RoundTripDocuments.all()) {
      put(ledgerDocument);

      assertThat(ledger().read(ledgerDocument.key()).map(VersionedDocument::value))
          .isEqualTo(Optional.of(ledgerDocument));
    }
  }

  @Test
  void timesAreKeptToTheMicrosecond() {
    put(new TickSchedule(TickSchedule.Want.RUN, T0.plusNanos(123_456_789)));

    assertThat(ledger().read(TICKS).orElseThrow().value().since())
        .isEqualTo(T0.plusNanos(123_456_000));
  }

  @Test
  void writeLeavesOtherDocumentsUntouched() {
    var all = RoundTripDocuments.all();
    all.forEach(this::put);

    for (var ledgerDocument : all)
      assertThat(ledger().read(ledgerDocument.key()).map(VersionedDocument::value))
          .isEqualTo(Optional.of(ledgerDocument));
  }

  @Test
  void createConflictsWithExistingDocument() {
    var first = new ClusterName("lab", "c-1");

    assertThat(commit(new LedgerWrite.Create(first)).done()).isTrue();
    assertThat(commit(new LedgerWrite.Create(new ClusterName("lab", "c-2"))))
        .isEqualTo(new CommitResult.Conflict(LAB));
    assertThat(ledger().read(LAB).orElseThrow().value()).isEqualTo(first);
  }

  @Test
  void updateNeedsCurrentVersion() {
    var old = put(new ClusterName("lab", "c-1"));
    var next = put(new ClusterName("lab", "c-2"));

    assertThat(commit(new LedgerWrite.Update(new ClusterName("lab", "c-3"), old)))
        .isEqualTo(new CommitResult.Conflict(LAB));
    assertThat(commit(new LedgerWrite.Update(new ClusterName("lab", "c-4"), next)).done()).isTrue();
    assertThat(ledger().read(LAB).orElseThrow().value().uid()).contains("c-4");
  }

  @Test
  void downBeforeUpOfNameEndsWithItsCluster() {
    var early = put(ClusterName.unused("lab").withDown(T0));

    assertThat(commit(new LedgerWrite.Update(new ClusterName("lab", "c-1"), early)).done())
        .isTrue();
    assertThat(ledger().read(LAB).orElseThrow().value()).isEqualTo(new ClusterName("lab", "c-1"));
  }

  @Test
  void updateOfMissingDocumentConflicts() {
    var version = put(new ClusterName("lab", "c-1"));
    commit(new LedgerWrite.Delete(LAB));

    assertThat(commit(new LedgerWrite.Update(new ClusterName("lab", "c-2"), version)))
        .isEqualTo(new CommitResult.Conflict(LAB));
    assertThat(ledger().read(LAB)).isEmpty();
  }

  @Test
  void commitVersionsMatchReadVersions() {
    var done =
        (CommitResult.Done)
            commit(
                new LedgerWrite.Create(new ClusterName("a", "c-1")),
                new LedgerWrite.Delete(LAB),
                new LedgerWrite.Put(new TickSchedule(TickSchedule.Want.RUN, T0)));

    assertThat(done.versions()).hasSize(3);
    assertThat(done.versions().get(0))
        .isEqualTo(ledger().read(new DocumentKey.OfClusterName("a")).orElseThrow().version());
    assertThat(done.versions().get(1)).isEmpty();
    assertThat(done.versions().get(2)).isEqualTo(ledger().read(TICKS).orElseThrow().version());
  }

  @Test
  void twoWritesOfTheSameContentHaveTwoVersions() {
    var document = new ClusterName("lab", "c-1");

    var versions = new ArrayList<String>();
    for (var i = 0; i < 5; i++) versions.add(put(document));
    commit(new LedgerWrite.Delete(LAB));
    for (var i = 0; i < 5; i++) versions.add(put(document));

    assertThat(versions).doesNotHaveDuplicates();
  }

  @Test
  void aBatchWithOneConflictWritesNothing() {
    put(new TickSchedule(TickSchedule.Want.RUN, T0));
    put(new ClusterName("kept", "c-1"));

    var commitResult =
        commit(
            new LedgerWrite.Put(new ClusterName("lab", "c-1")),
            new LedgerWrite.Delete(new DocumentKey.OfClusterName("kept")),
            new LedgerWrite.Signal("c-1", T0, true, List.of("w")),
            new LedgerWrite.Create(new TickSchedule(TickSchedule.Want.PAUSE, T0)),
            new LedgerWrite.Create(new ClusterName("other", "c-1")));

    assertThat(commitResult).isEqualTo(new CommitResult.Conflict(TICKS));
    assertThat(ledger().read(LAB)).isEmpty();
    assertThat(ledger().read(new DocumentKey.OfClusterName("kept"))).isPresent();
    assertThat(ledger().read(new DocumentKey.OfClusterName("other"))).isEmpty();
    assertThat(ledger().read(new DocumentKey.OfChangeSignal("c-1"))).isEmpty();
  }

  @Test
  void aBatchOfFourHundredIsWritten() {
    var ledgerWrites = new ArrayList<LedgerWrite>();
    for (var i = 0; i < 400; i++)
      ledgerWrites.add(
          new LedgerWrite.Create(
              Shard.of(new DocumentKey.OfShard("c", "j", i), i + 1, TaskSet.none(i))));

    assertThat(ledger().commit(ledgerWrites).done()).isTrue();
    assertThat(ledger().totals(new DocumentKey.OfJob("c", "j")))
        .isEqualTo(new TaskTotals(0, 0, 400, 0, 400));
  }

  @Test
  void deletingWhatIsNotThereIsNoError() {
    assertThat(commit(new LedgerWrite.Delete(LAB)).done()).isTrue();
  }

  @Test
  void largestBatchIsAcceptedAndLargerRefused() {
    assertThat(ledger().commit(batch(BatchSize.MAX_WRITES)).done()).isTrue();
    assertThatThrownBy(() -> ledger().commit(batch(BatchSize.MAX_WRITES + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("401 writes");
  }

  private static List<LedgerWrite> batch(int size) {
    return IntStream.range(0, size)
        .<LedgerWrite>mapToObj(i -> new LedgerWrite.Put(new ClusterName("n" + i, "c")))
        .toList();
  }

  @Test
  void emptyBatchSucceeds() {
    assertThat(ledger().commit(List.of())).isEqualTo(new CommitResult.Done(List.of()));
  }

  @Test
  void readAllKeepsKeyOrderAndSkipsMissing() {
    for (var name : List.of("a", "b", "c")) put(new ClusterName(name, "c-" + name));

    var read =
        ledger()
            .readAll(
                List.of(
                    new DocumentKey.OfClusterName("c"),
                    new DocumentKey.OfClusterName("missing"),
                    new DocumentKey.OfClusterName("a")))
            .requireComplete();

    assertThat(read).extracting(s -> s.value().name()).containsExactly("c", "a");
    assertThat(read.getFirst().version())
        .isEqualTo(ledger().read(new DocumentKey.OfClusterName("c")).orElseThrow().version());
  }

  @Test
  void aJobAndAClusterMayHaveOneName() {
    put(new ClusterName("lab", "c-1"));
    put(DocumentFixtures.cluster("lab", dev.mayfly.core.model.document.Cluster.Phase.UP));

    assertThat(ledger().read(LAB).orElseThrow().value().uid()).contains("c-1");
    assertThat(ledger().read(new DocumentKey.OfCluster("lab"))).isPresent();
  }

  @Test
  void signalIsCreatedAndThenMergedInto() {
    commit(new LedgerWrite.Signal("c", at(1), false, List.of("w-1")));
    commit(new LedgerWrite.Signal("c", at(2), true, List.of()));
    commit(new LedgerWrite.Signal("c", at(3), false, List.of("w.2", "w-3")));

    var changeSignal = ledger().read(new DocumentKey.OfChangeSignal("c")).orElseThrow().value();

    assertThat(changeSignal.work()).isEqualTo(at(2));
    assertThat(changeSignal.workers())
        .containsOnly(
            java.util.Map.entry("w-1", at(1)),
            java.util.Map.entry("w.2", at(3)),
            java.util.Map.entry("w-3", at(3)));
  }

  @Test
  void workerSignalKeepsWorkTimeAtEpoch() {
    commit(new LedgerWrite.Signal("c", at(1), false, List.of("w-1")));

    assertThat(ledger().read(new DocumentKey.OfChangeSignal("c")).orElseThrow().value().work())
        .isEqualTo(java.time.Instant.EPOCH);
  }

  private CommitResult commit(LedgerWrite... ledgerWrites) {
    return ledger().commit(List.of(ledgerWrites));
  }

  private String put(LedgerDocument ledgerDocument) {
    return ((CommitResult.Done) commit(new LedgerWrite.Put(ledgerDocument))).versions().getFirst();
  }
}
