package dev.mayfly.porttests;

import static dev.mayfly.porttests.Samples.T0;
import static dev.mayfly.porttests.Samples.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Write;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Ledger} makes of documents that cannot be read, beginning with an empty one for
 * each test.
 */
public abstract class UnreadableContract {
  private static final String STATE = "state.state";
  private static final Key.OfWorker BROKEN = new Key.OfWorker("c", "w-b");

  /** The ledger of this test; the same one at each call. */
  protected abstract Ledger ledger();

  /**
   * Writes a word that no version knows into a field of the document, as a person might by hand.
   *
   * @param field with its parents, for example {@code state.state}
   */
  protected abstract void spoil(Key<?> key, String field);

  @Test
  void ofThreeInAListTheBrokenOneIsNamed() {
    putThree();
    spoil(BROKEN, STATE);

    var found = ledger().query(new Query.Workers("c", false, 10));

    assertThat(found.some()).extracting(w -> w.value().name()).containsExactly("w-a", "w-c");
    assertThat(paths(found)).containsExactly("clusters/c/workers/w-b");
    assertThat(found.size()).isEqualTo(3);
    assertThatThrownBy(found::complete)
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining("clusters/c/workers/w-b");
  }

  @Test
  void ofThreeKeysTheBrokenOneIsNamed() {
    putThree();
    spoil(BROKEN, STATE);

    var found =
        ledger()
            .readAll(
                List.of(
                    new Key.OfWorker("c", "w-c"),
                    BROKEN,
                    new Key.OfWorker("c", "w-none"),
                    new Key.OfWorker("c", "w-a")));

    assertThat(found.some()).extracting(w -> w.value().name()).containsExactly("w-c", "w-a");
    assertThat(found.unreadable()).extracting(UnreadableDocument::id).containsExactly("w-b");
  }

  @Test
  void aBrokenOneAloneIsAKnownFailure() {
    putThree();
    spoil(BROKEN, STATE);

    assertThatThrownBy(() -> ledger().read(BROKEN))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining("clusters/c/workers/w-b")
        .hasMessageContaining("mend");
    assertThat(ledger().read(new Key.OfWorker("c", "w-none"))).isEmpty();
  }

  @Test
  void anUnknownStateCountsAsNotEnded() {
    put(Samples.cluster("c-1", Cluster.Phase.UP));
    put(Samples.job("c", "j", new JobState.Running(T0), at(1)));
    put(Shard.of(new Key.OfShard("c", "j", 0), 5, Bits.none(0)));
    spoil(new Key.OfCluster("c-1"), "phase");
    spoil(new Key.OfJob("c", "j"), STATE);
    spoil(new Key.OfShard("c", "j", 0), "state");

    assertThat(paths(ledger().query(new Query.Clusters(false)))).containsExactly("clusters/c-1");
    assertThat(paths(ledger().query(new Query.LiveJobs("c")))).containsExactly("clusters/c/jobs/j");
    assertThat(ledger().query(new Query.OpenShards("c", "j", 1)).isEmpty()).isFalse();
  }

  @Test
  void anEditByHandIsNotOverwrittenUnseen() {
    putThree();
    var before = ledger().read(BROKEN).orElseThrow();
    spoil(BROKEN, STATE);

    var late = ledger().commit(List.of(new Write.Update(before.value(), before.version())));

    assertThat(late).isEqualTo(new Committed.Conflict(BROKEN));
  }

  @Test
  void onceItIsWrittenAnewItCanBeRead() {
    putThree();
    var before = ledger().read(BROKEN).orElseThrow();
    spoil(BROKEN, STATE);

    put(before.value());

    assertThat(ledger().read(BROKEN).orElseThrow().value()).isEqualTo(before.value());
  }

  @Test
  void aSignalIsGivenOverABrokenOne() {
    notify(1);
    spoil(new Key.OfPulse("c"), "work");

    notify(2);

    assertThat(ledger().readAll(List.of(new Key.OfPulse("c"))).size()).isEqualTo(1);
  }

  private void notify(int second) {
    var notify = new Write.Notify("c", at(second), true, List.of());
    assertThat(ledger().commit(List.of(notify)).done()).isTrue();
  }

  private static List<String> paths(Listing<?> found) {
    return found.unreadable().stream().map(UnreadableDocument::path).toList();
  }

  private void putThree() {
    for (var name : List.of("w-a", "w-b", "w-c"))
      put(Samples.worker("c", name, new WorkerState.Ready(T0, Optional.empty()), at(1)));
  }

  private void put(Document document) {
    assertThat(ledger().commit(List.of(new Write.Put(document))).done()).isTrue();
  }
}
