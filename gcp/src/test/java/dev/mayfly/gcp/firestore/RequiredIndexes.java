package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.Direction;
import com.google.firestore.v1.StructuredQuery.FieldFilter.Operator;
import com.google.firestore.v1.Value;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.porttests.RoundTripDocuments;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The indexes that the code's queries need, derived from the queries. */
final class RequiredIndexes {
  /** An index: its collection, whether it spans all parents, and {@code field ORDER}. */
  record Index(String collection, boolean group, List<String> fields) {}

  private RequiredIndexes() {}

  /** One query of each kind, with and without optional parts. */
  static List<LedgerQuery<?>> queries() {
    return List.of(
        new LedgerQuery.Clusters(false),
        new LedgerQuery.Clusters(true),
        new LedgerQuery.Workers("c", false, 1),
        new LedgerQuery.Workers("c", true, 1),
        new LedgerQuery.LiveJobs("c"),
        new LedgerQuery.Jobs("c", 1),
        new LedgerQuery.JobNames("c", "train", 1),
        new LedgerQuery.ReadyShards("c", "j", 5, 1),
        new LedgerQuery.LeasedShards("c", "j", 1),
        new LedgerQuery.SpentShards("c", "j", 1),
        new LedgerQuery.OpenShards("c", "j", 1),
        new LedgerQuery.Shards("c", "j", 5, 1),
        new LedgerQuery.AllHeartbeats("c"),
        new LedgerQuery.Usages("c", "2026-11-27", 1),
        new LedgerQuery.Events("c", Optional.empty(), 1),
        new LedgerQuery.Events("c", Optional.of("worker/w"), 1),
        new LedgerQuery.Events("c", Optional.empty(), Optional.of(Instant.EPOCH), 1),
        new LedgerQuery.Events("c", Optional.of("worker/w"), Optional.of(Instant.EPOCH), 1),
        new LedgerQuery.EventsOfMessage("c", "m", 1),
        new LedgerQuery.PendingNotifications(1),
        new LedgerQuery.Stockouts(),
        new LedgerQuery.RejectedMessages(1));
  }

  /** Each query's fields, in the order in which an index must contain them. */
  static Set<Index> indexes() {
    var all = new LinkedHashSet<Index>();
    for (var ledgerQuery : queries()) all.add(index(FirestoreQuery.of(ledgerQuery).query()));
    // Sums over several fields of one query need one index with all of them.
    all.add(
        new Index(
            "shards",
            false,
            JobTotalsQuery.FIELDS.stream().map(f -> "totals." + f + " ASCENDING").toList()));
    return all;
  }

  private static Index index(StructuredQuery query) {
    var fields = new LinkedHashMap<String, Direction>();
    var ranges = new ArrayList<String>();
    for (var filter : filters(query))
      if (isOne(filter.getOp())) fields.put(filter.getField().getFieldPath(), Direction.ASCENDING);
      else ranges.add(filter.getField().getFieldPath());
    for (var order : query.getOrderByList())
      fields.putIfAbsent(order.getField().getFieldPath(), order.getDirection());
    for (var range : ranges) fields.putIfAbsent(range, Direction.ASCENDING);
    return new Index(
        query.getFrom(0).getCollectionId(),
        query.getFrom(0).getAllDescendants(),
        fields.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
  }

  private static boolean isOne(Operator op) {
    return op == Operator.EQUAL || op == Operator.IN;
  }

  private static List<StructuredQuery.FieldFilter> filters(StructuredQuery query) {
    if (!query.hasWhere()) return List.of();
    var where = query.getWhere();
    return where.hasFieldFilter()
        ? List.of(where.getFieldFilter())
        : where.getCompositeFilter().getFiltersList().stream()
            .map(f -> f.getFieldFilter())
            .toList();
  }

  private static final Set<String> LINES = Set.of("summary", "doneTasks", "failedTasks");

  /** Fields that some query finds by a single-field index: {@code collection field}. */
  static Set<String> single() {
    var single = new TreeSet<String>();
    for (var index : indexes())
      if (index.fields().size() == 1)
        single.add(index.collection() + " " + index.fields().getFirst().replaceAll(" .*", ""));
    return single;
  }

  /**
   * Fields whose index costs something at every write without any use: times, lists, maps and
   * bytes, and lines that change with each write. Other strings and numbers keep their index, for
   * searches in the console.
   */
  static Set<String> exempt() {
    var exempt = new TreeSet<String>();
    for (var ledgerDocument : RoundTripDocuments.all()) {
      var parts = ledgerDocument.key().path().split("/");
      var collection = parts[parts.length - 2];
      collect(collection, "", DocumentMapper.encode("x", ledgerDocument).getFieldsMap(), exempt);
      exempt.add(collection + " " + DocumentMapper.CHANGED);
    }
    exempt.removeAll(single());
    return exempt;
  }

  private static void collect(
      String collection, String prefix, Map<String, Value> fields, Set<String> into) {
    fields.forEach((name, value) -> {
      var path = prefix + name;
      var inner = single().stream().anyMatch(s -> s.startsWith(collection + " " + path + "."));
      if (inner) collect(collection, path + ".", value.getMapValue().getFieldsMap(), into);
      else if (isHeavy(value) || LINES.contains(path)) into.add(collection + " " + path);
    });
  }

  private static boolean isHeavy(Value value) {
    return value.hasMapValue()
        || value.hasArrayValue()
        || value.hasBytesValue()
        || value.hasTimestampValue();
  }
}
