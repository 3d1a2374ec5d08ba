package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.StructuredAggregationQuery;
import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.FieldReference;
import dev.mayfly.core.model.Totals;
import java.util.List;

/** A job's totals, added up by Firestore in one query: a read a thousand shards. */
final class Sums {
  static final List<String> FIELDS = List.of("done", "failed", "leased", "ready");

  private static final String SHARDS = "shards";

  private Sums() {}

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
              .setSum(
                  Aggregation.Sum.newBuilder()
                      .setField(FieldReference.newBuilder().setFieldPath("totals." + field))));
    query.addAggregations(
        Aggregation.newBuilder().setAlias(SHARDS).setCount(Aggregation.Count.newBuilder()));
    return query.build();
  }

  static Totals totals(List<RunAggregationQueryResponse> answers) {
    var sums = answers.getFirst().getResult();
    return new Totals(
        sums.getAggregateFieldsOrThrow("done").getIntegerValue(),
        sums.getAggregateFieldsOrThrow("failed").getIntegerValue(),
        sums.getAggregateFieldsOrThrow("ready").getIntegerValue(),
        sums.getAggregateFieldsOrThrow("leased").getIntegerValue(),
        sums.getAggregateFieldsOrThrow(SHARDS).getIntegerValue());
  }
}
