package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.StructuredAggregationQuery;
import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.Direction;
import com.google.firestore.v1.StructuredQuery.FieldReference;
import com.google.firestore.v1.StructuredQuery.Projection;
import com.google.firestore.v1.Value;
import com.google.protobuf.Int32Value;
import dev.mayfly.core.model.job.TaskTotals;
import java.util.List;

/** A job's totals, added up by Firestore in one query, billed as one read per thousand shards. */
final class JobTotalsQuery {
  static final List<String> FIELDS = List.of("done", "failed", "leased", "ready");

  private static final String SHARDS = "shards";

  private JobTotalsQuery() {}

  static RunAggregationQueryRequest request(String job) {
    return RunAggregationQueryRequest.newBuilder()
        .setParent(job)
        .setStructuredAggregationQuery(query())
        .build();
  }

  static StructuredAggregationQuery query() {
    var shards =
        StructuredQuery.newBuilder()
            .addFrom(CollectionSelector.newBuilder().setCollectionId(SHARDS));
    var query = StructuredAggregationQuery.newBuilder().setStructuredQuery(shards);
    for (var field : FIELDS)
      query.addAggregations(
          Aggregation.newBuilder()
              .setAlias(field)
              .setSum(Aggregation.Sum.newBuilder().setField(field("totals." + field))));
    query.addAggregations(
        Aggregation.newBuilder().setAlias(SHARDS).setCount(Aggregation.Count.newBuilder()));
    return query.build();
  }

  /**
   * Reads the same numbers shard by shard, ordered by name, which needs no index.
   *
   * @param after the full name of the last shard read; empty for the first page
   */
  static RunQueryRequest page(String job, String after, int limit) {
    var query =
        StructuredQuery.newBuilder()
            .addFrom(CollectionSelector.newBuilder().setCollectionId(SHARDS))
            .addOrderBy(
                StructuredQuery.Order.newBuilder()
                    .setField(field("__name__"))
                    .setDirection(Direction.ASCENDING))
            .setLimit(Int32Value.of(limit));
    var select = Projection.newBuilder();
    for (var field : FIELDS) select.addFields(field("totals." + field));
    query.setSelect(select);
    if (!after.isEmpty())
      query.setStartAt(
          Cursor.newBuilder()
              .addValues(Value.newBuilder().setReferenceValue(after))
              .setBefore(false));
    return RunQueryRequest.newBuilder().setParent(job).setStructuredQuery(query).build();
  }

  private static FieldReference field(String path) {
    return FieldReference.newBuilder().setFieldPath(path).build();
  }

  static TaskTotals totals(List<RunAggregationQueryResponse> answers) {
    var sums = answers.getFirst().getResult();
    return new TaskTotals(
        sums.getAggregateFieldsOrThrow("done").getIntegerValue(),
        sums.getAggregateFieldsOrThrow("failed").getIntegerValue(),
        sums.getAggregateFieldsOrThrow("ready").getIntegerValue(),
        sums.getAggregateFieldsOrThrow("leased").getIntegerValue(),
        sums.getAggregateFieldsOrThrow(SHARDS).getIntegerValue());
  }
}
