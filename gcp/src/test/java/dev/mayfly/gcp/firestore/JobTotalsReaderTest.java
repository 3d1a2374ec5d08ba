package dev.mayfly.gcp.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.job.TaskTotals;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Job totals where Firestore cannot add them up. */
class JobTotalsReaderTest {
  private static final DocumentKey.OfJob JOB = new DocumentKey.OfJob("c", "j");
  private static final String SHARDS =
      "projects/lab/databases/mayfly/documents/clusters/c/jobs/j/shards/";
  private static final Optional<Status> NO_INDEX =
      Optional.of(
          Status.FAILED_PRECONDITION.withDescription(
              "The query requires an index. You can create it here: https://console.example/x"));

  private FakeFirestore firestore;
  private FirestoreLedger ledger;

  @BeforeEach
  void start() throws IOException {
    firestore = new FakeFirestore();
    var settings = new FirestoreSettings("lab", "mayfly", Optional.of(firestore.host()));
    ledger = new FirestoreLedger(settings, new SplittableRandom(1));
  }

  @AfterEach
  void stop() {
    ledger.close();
    firestore.close();
  }

  @Test
  void withoutIndexReadsShardByShard() {
    for (var i = 0; i < JobTotalsReader.PAGE + 500; i++)
      firestore.shard(SHARDS + "%012d".formatted(i), new TaskTotals(i, 1, 2, 3, 1));
    var indexed = ledger.totals(JOB);
    assertThat(firestore.pages).isEmpty();

    firestore.sums = NO_INDEX;

    assertThat(ledger.totals(JOB))
        .isEqualTo(indexed)
        .isEqualTo(new TaskTotals(1_124_250, 1_500, 3_000, 4_500, 1_500));
    assertThat(firestore.pages).hasSize(2);
  }

  @Test
  void jobWithoutShardsNeedsNoIndex() {
    firestore.sums = NO_INDEX;

    assertThat(ledger.totals(JOB)).isEqualTo(TaskTotals.NONE);
  }

  @Test
  void logNamesIndexAndRemedyOnce() {
    var lines = new ArrayList<String>();
    var settings = new FirestoreSettings("lab", "mayfly", Optional.of(firestore.host()));
    firestore.sums = NO_INDEX;
    try (var firestoreConnection = new FirestoreConnection(settings)) {
      var totals = new JobTotalsReader(settings, firestoreConnection, lines::add);
      totals.of(JOB);
      totals.of(JOB);
    }

    assertThat(lines)
        .singleElement()
        .asString()
        .contains("totals.* of shards", "https://console.example/x", "Apply the Terraform")
        .contains("--project=lab --database=mayfly --collection-group=shards")
        .contains("--field-config=field-path=totals.done,order=ascending");
  }

  @Test
  void otherErrorsAreThrown() {
    firestore.sums = Optional.of(Status.PERMISSION_DENIED);
    assertThatThrownBy(() -> ledger.totals(JOB)).isInstanceOf(MissingPermissionException.class);

    firestore.sums = NO_INDEX;
    firestore.reads = NO_INDEX;
    assertThatThrownBy(() -> ledger.totals(JOB))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("totals of clusters/c/jobs/j, shard by shard")
        .hasMessageContaining("apply Terraform");
  }
}
