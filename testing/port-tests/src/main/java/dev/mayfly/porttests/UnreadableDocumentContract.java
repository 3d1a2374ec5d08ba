package dev.mayfly.porttests;

import static dev.mayfly.porttests.DocumentFixtures.T0;
import static dev.mayfly.porttests.DocumentFixtures.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.QueryResult;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of {@link Ledger} for unreadable documents, with an empty ledger for each test. */
public abstract class UnreadableDocumentContract {
  private static final String STATE = "state.state";
  private static final DocumentKey.OfWorker BROKEN = new DocumentKey.OfWorker("c", "w-b");

  /** The ledger under test; always the same. */
  protected abstract Ledger ledger();

  /**
   * Writes an unknown value into a field of the document, as an edit by hand might.
   *
   * @param field the field's path, for example {@code state.state}
   */
  protected abstract void corrupt(DocumentKey<?> documentKey, String field);

  @Test
  void brokenDocumentInListIsNamed() {
    putThree();
    corrupt(BROKEN, STATE);

    var found = ledger().query(new LedgerQuery.Workers("c", false, 10));

    assertThat(found.readableOnly())
        .extracting(w -> w.value().name())
        .containsExactly("w-a", "w-c");
    assertThat(paths(found)).containsExactly("clusters/c/workers/w-b");
    assertThat(found.size()).isEqualTo(3);
    assertThatThrownBy(found::requireComplete)
        .isInstanceOf(UnreadableDocumentException.class)
        .hasMessageContaining("clusters/c/workers/w-b");
  }

  @Test
  void unreadableOneOfThreeKeysIsNamed() {
    putThree();
    corrupt(BROKEN, STATE);

    var found =
        ledger()
            .readAll(
                List.of(
                    new DocumentKey.OfWorker("c", "w-c"),
                    BROKEN,
                    new DocumentKey.OfWorker("c", "w-none"),
                    new DocumentKey.OfWorker("c", "w-a")));

    assertThat(found.readableOnly())
        .extracting(w -> w.value().name())
        .containsExactly("w-c", "w-a");
    assertThat(found.unreadable()).extracting(UnreadableDocument::id).containsExactly("w-b");
  }

  @Test
  void unreadableDocumentIsKnownFailure() {
    putThree();
    corrupt(BROKEN, STATE);

    assertThatThrownBy(() -> ledger().read(BROKEN))
        .isInstanceOf(UnreadableDocumentException.class)
        .hasMessageContaining("clusters/c/workers/w-b")
        .hasMessageContaining("fix that field");
    assertThat(ledger().read(new DocumentKey.OfWorker("c", "w-none"))).isEmpty();
  }

  @Test
  void unknownStateCountsAsNotEnded() {
    put(DocumentFixtures.cluster("c-1", Cluster.Phase.UP));
    put(DocumentFixtures.job("c", "j", new JobState.Running(T0), at(1)));
    put(Shard.of(new DocumentKey.OfShard("c", "j", 0), 5, TaskSet.none(0)));
    corrupt(new DocumentKey.OfCluster("c-1"), "phase");
    corrupt(new DocumentKey.OfJob("c", "j"), STATE);
    corrupt(new DocumentKey.OfShard("c", "j", 0), "state");

    assertThat(paths(ledger().query(new LedgerQuery.Clusters(false))))
        .containsExactly("clusters/c-1");
    assertThat(paths(ledger().query(new LedgerQuery.LiveJobs("c"))))
        .containsExactly("clusters/c/jobs/j");
    assertThat(ledger().query(new LedgerQuery.OpenShards("c", "j", 1)).isEmpty()).isFalse();
  }

  @Test
  void editByHandIsNotSilentlyOverwritten() {
    putThree();
    var before = ledger().read(BROKEN).orElseThrow();
    corrupt(BROKEN, STATE);

    var late = ledger().commit(List.of(new LedgerWrite.Update(before.value(), before.version())));

    assertThat(late).isEqualTo(new CommitResult.Conflict(BROKEN));
  }

  @Test
  void rewrittenDocumentIsReadable() {
    putThree();
    var before = ledger().read(BROKEN).orElseThrow();
    corrupt(BROKEN, STATE);

    put(before.value());

    assertThat(ledger().read(BROKEN).orElseThrow().value()).isEqualTo(before.value());
  }

  @Test
  void signalReplacesUnreadableOne() {
    sendSignal(1);
    corrupt(new DocumentKey.OfChangeSignal("c"), "work");

    sendSignal(2);

    assertThat(ledger().readAll(List.of(new DocumentKey.OfChangeSignal("c"))).size()).isEqualTo(1);
  }

  private void sendSignal(int second) {
    var signal = new LedgerWrite.Signal("c", at(second), true, List.of());
    assertThat(ledger().commit(List.of(signal)).done()).isTrue();
  }

  private static List<String> paths(QueryResult<?> found) {
    return found.unreadable().stream().map(UnreadableDocument::path).toList();
  }

  private void putThree() {
    for (var name : List.of("w-a", "w-b", "w-c"))
      put(DocumentFixtures.worker("c", name, new WorkerState.Ready(T0, Optional.empty()), at(1)));
  }

  private void put(LedgerDocument ledgerDocument) {
    assertThat(ledger().commit(List.of(new LedgerWrite.Put(ledgerDocument))).done()).isTrue();
  }
}
