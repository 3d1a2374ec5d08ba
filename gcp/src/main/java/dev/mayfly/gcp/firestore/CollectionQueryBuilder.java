package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.Direction;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.FieldReference;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.StructuredQuery.Order;
import com.google.protobuf.Int32Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Builds a query of one collection, or of all with its name. */
final class CollectionQueryBuilder {
  private final StructuredQuery.Builder query = StructuredQuery.newBuilder();
  private final List<Filter> filters = new ArrayList<>();

  CollectionQueryBuilder(String collection) {
    query.addFrom(CollectionSelector.newBuilder().setCollectionId(collection));
  }

  /** Of all collections with the name below the parent, instead of the parent's own. */
  CollectionQueryBuilder inAllParents() {
    query.getFromBuilder(0).setAllDescendants(true);
    return this;
  }

  /** The field has one of these values. */
  CollectionQueryBuilder whereIn(String field, List<String> words) {
    if (words.size() == 1) return where(field, FieldFilter.Operator.EQUAL, words.getFirst());
    return where(field, FieldFilter.Operator.IN, words);
  }

  /** The field exists and has another value, including values unknown to this version. */
  CollectionQueryBuilder whereNot(String field, String word) {
    return where(field, FieldFilter.Operator.NOT_EQUAL, word);
  }

  CollectionQueryBuilder whereAtLeast(String field, long least) {
    return where(field, FieldFilter.Operator.GREATER_THAN_OR_EQUAL, least);
  }

  CollectionQueryBuilder whereAtLeast(String field, String least) {
    return where(field, FieldFilter.Operator.GREATER_THAN_OR_EQUAL, least);
  }

  CollectionQueryBuilder whereAtMost(String field, Instant most) {
    return where(field, FieldFilter.Operator.LESS_THAN_OR_EQUAL, most);
  }

  private CollectionQueryBuilder where(String field, FieldFilter.Operator is, Object value) {
    var filter =
        FieldFilter.newBuilder()
            .setField(reference(field))
            .setOp(is)
            .setValue(ValueMapper.value(value));
    filters.add(Filter.newBuilder().setFieldFilter(filter).build());
    return this;
  }

  /** The results have the field. */
  CollectionQueryBuilder orderBy(String field, Direction direction) {
    query.addOrderBy(Order.newBuilder().setField(reference(field)).setDirection(direction));
    return this;
  }

  CollectionQueryBuilder limit(int most) {
    query.setLimit(Int32Value.of(most));
    return this;
  }

  StructuredQuery query() {
    if (filters.size() == 1) query.setWhere(filters.getFirst());
    if (filters.size() > 1)
      query.setWhere(
          Filter.newBuilder()
              .setCompositeFilter(
                  CompositeFilter.newBuilder()
                      .setOp(CompositeFilter.Operator.AND)
                      .addAllFilters(filters)));
    return query.build();
  }

  private static FieldReference reference(String field) {
    return FieldReference.newBuilder().setFieldPath(field).build();
  }
}
