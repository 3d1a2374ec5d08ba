package dev.mayfly.gcp.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode.Code;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.Value;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.job.TaskTotals;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A job's totals. Firestore adds them up with an index. If that is missing or not ready, they are
 * read shard by shard, because no machine is ordered without them. That costs a read per shard
 * instead of one per thousand.
 */
final class JobTotalsReader {
  /** Documents per page, each with its totals and name: some hundred bytes. */
  static final int PAGE = 1_000;

  private final DocumentNames documentNames;
  private final FirestoreConnection firestoreConnection;
  private final FirestoreSettings settings;
  private final Consumer<String> onMissingIndex;
  private final AtomicBoolean missing = new AtomicBoolean();

  /**
   * @param onMissingIndex receives a message with the remedy if the index is missing; once until
   *     the index answers
   */
  JobTotalsReader(
      FirestoreSettings settings,
      FirestoreConnection firestoreConnection,
      Consumer<String> onMissingIndex) {
    this.settings = settings;
    this.onMissingIndex = onMissingIndex;
    this.documentNames = DocumentNames.of(settings);
    this.firestoreConnection = firestoreConnection;
  }

  TaskTotals of(DocumentKey.OfJob job) {
    var parent = documentNames.name(job);
    var doing = "totals of " + job.path();
    try {
      var answers = firestoreConnection.client().runAggregationQueryCallable().all();
      var sums =
          firestoreConnection.await(
              answers.futureCall(JobTotalsQuery.request(parent)), firestoreConnection.read);
      missing.set(false);
      return JobTotalsQuery.totals(sums);
    } catch (ApiException e) {
      if (FirestoreConnection.code(e) != Code.FAILED_PRECONDITION)
        throw firestoreConnection.translate(e, doing);
      if (!missing.getAndSet(true)) onMissingIndex.accept(missingIndex(e));
    }
    try {
      return read(parent);
    } catch (ApiException e) {
      throw firestoreConnection.translate(e, doing + ", shard by shard");
    }
  }

  private String missingIndex(ApiException refusal) {
    var fields =
        JobTotalsQuery.FIELDS.stream()
            .map(field -> "--field-config=field-path=totals." + field + ",order=ascending")
            .collect(Collectors.joining(" "));
    return ("Firestore has no usable index over totals.* of shards (%s);"
            + " totals are read shard by shard, one read each."
            + " Apply the Terraform configuration, or run `gcloud firestore indexes composite create"
            + " --project=%s --database=%s --collection-group=shards --query-scope=collection %s`,"
            + " and wait until `gcloud firestore indexes composite list --project=%s --database=%s`"
            + " says READY")
        .formatted(
            refusal.getMessage(),
            settings.project(),
            settings.database(),
            fields,
            settings.project(),
            settings.database());
  }

  private TaskTotals read(String job) {
    var sum = TaskTotals.NONE;
    for (var after = ""; ; ) {
      var page = page(job, after);
      for (var shard : page) sum = plus(sum, shard);
      if (page.size() < PAGE) return sum;
      after = page.getLast().getName();
    }
  }

  private List<Document> page(String job, String after) {
    var asked = firestoreConnection.client().runQueryCallable().all();
    return firestoreConnection
        .await(asked.futureCall(JobTotalsQuery.page(job, after, PAGE)), firestoreConnection.read)
        .stream()
        .filter(RunQueryResponse::hasDocument)
        .map(RunQueryResponse::getDocument)
        .toList();
  }

  private static TaskTotals plus(TaskTotals sum, Document shard) {
    var one = shard.getFieldsOrDefault("totals", Value.getDefaultInstance()).getMapValue();
    return new TaskTotals(
        sum.done() + number(one, "done"),
        sum.failed() + number(one, "failed"),
        sum.ready() + number(one, "ready"),
        sum.leased() + number(one, "leased"),
        sum.shards() + 1);
  }

  private static long number(MapValue totals, String field) {
    return totals.getFieldsOrDefault(field, Value.getDefaultInstance()).getIntegerValue();
  }
}
